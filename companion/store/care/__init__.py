"""Looking after the store: copies, health, erasing for good."""
