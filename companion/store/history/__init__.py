"""A project's history: its commits, what is counted from them, and how it stood at any moment."""
