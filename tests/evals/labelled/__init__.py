"""Measured on labelled data and by readers: what is right is known, what the product says is counted."""
