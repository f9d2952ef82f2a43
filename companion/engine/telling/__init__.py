"""Context and code explained: rendered in three formats, and why an item or a line is as it is."""
