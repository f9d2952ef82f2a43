"""What `companion connect` needs to know of editors; a new one is a line in EDITORS of `editors.py`."""
