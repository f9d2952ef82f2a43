"""Conversations as they are kept: states and the one place, turns, what they leave behind, acts."""

ITEM_ID = "i1"
"""How the id of an item begins."""
