"""What goes on in a checkout while somebody works in it."""
