"""What a clause leaves behind: what is found in it, the item that is made of it, and what stays verbatim."""
