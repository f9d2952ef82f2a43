"""Tests of reading source text, with a sample of each language."""
