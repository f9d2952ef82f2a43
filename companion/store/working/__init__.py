"""What goes on while somebody works: events, commands, errors that are seen."""
