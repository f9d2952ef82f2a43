"""Vectors: kept in a table, searched in a file or a matrix that is made from it."""
