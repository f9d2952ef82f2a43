"""Which files are needed next: features, weights learned from the past, calibrated probabilities."""
