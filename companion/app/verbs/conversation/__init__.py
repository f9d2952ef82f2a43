"""Conversations and their reviews, history for a host, open ends, nudges, other assistants' logs."""
