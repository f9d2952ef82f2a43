"""How people talk: sentences, who means what, names, days, and what a statement is about."""
