"""Ports made real: tokenizer, embedder, secret scanner, clock."""
