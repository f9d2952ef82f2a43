"""Measured on a project's own past: at each commit the product knows what it would have known."""
