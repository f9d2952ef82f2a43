"""Conversations as they are kept: states and the one place, turns, what they leave behind, acts."""
