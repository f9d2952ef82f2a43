"""One process that owns the store: it watches, keeps the writing in order, and answers for every repository."""
