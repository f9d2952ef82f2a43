"""Records as JSON and back: the one vocabulary of the HTTP API, whoever speaks it."""
