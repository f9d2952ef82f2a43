"""Memories: learned, kept, replaced, settled, used and browsed."""
