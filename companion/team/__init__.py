"""Pure: what a team shares. `text` writes, reads and names a record; `joining` makes one state of any set of them."""
