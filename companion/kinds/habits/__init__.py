"""What code, paths and commits do without declaring it: habits and recurring structures."""
