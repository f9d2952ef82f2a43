"""Asking: contexts and why they are so, one list of what is found, requests read and checked."""
