"""Ways in: the command line; others join here."""
