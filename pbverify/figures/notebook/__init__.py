"""What the notebooks show, as plain numbers: figures only draw, notebooks only choose."""
