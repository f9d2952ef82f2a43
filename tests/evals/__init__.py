"""Measures the product where more is needed than a repository of one's own: `scripts/eval NAME`."""
