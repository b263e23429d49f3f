"""Expected regret: trees of draws, certificates, and accounts of whole runs."""
