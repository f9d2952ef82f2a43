"""The full-text index: from words to documents, and the copies of memories that it hands out."""
