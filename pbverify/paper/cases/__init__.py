"""What the paper's claims speak about: phases, runs, games with all their paths, samples."""
