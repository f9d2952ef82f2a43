"""The composition root: the only room that knows all the others and puts them together."""
