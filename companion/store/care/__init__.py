"""Looking after the store: copies, health, exports and imports, erasing for good."""
