"""The command line: read, ask the companion, print. One module a group of commands.

`__main__.py` is where it starts. A command declares what it takes (`declared.py`); `plain.py` reads ordinary calls by
that, and `typed.py` makes typer's commands of the same for help, completion and errors.
"""
