"""Answers about requests, what they rest on, and what came of them."""
