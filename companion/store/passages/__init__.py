"""Passages in the full-text index: all pieces of evidence, made from the files and commits they were cut from."""
