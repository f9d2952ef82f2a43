"""The only SQL, the only vectors, the only full-text index."""
