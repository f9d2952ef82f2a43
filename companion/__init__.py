"""Companion remembers what matters about a codebase and hands over the context that matters now."""
