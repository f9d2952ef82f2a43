"""A run: its archive, its judges, its plan, and what it came to."""
