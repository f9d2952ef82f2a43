"""The run in the store: what passes may ask, the journal, applying, undoing, purging."""
