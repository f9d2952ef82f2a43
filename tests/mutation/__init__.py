"""Do the tests of a room notice when its code is changed? `scripts/mutate ROOM` changes it, one place at a time."""
