"""The code of each checkout: written as tables, read back, and held in memory."""
