"""Conversations: heard, brought in from logs, confirmed, handed back."""
