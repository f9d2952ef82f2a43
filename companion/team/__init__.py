"""Pure: what a team shares. `joining` makes one state of any set of records; the same set gives the same state."""
