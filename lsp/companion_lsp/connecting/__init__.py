"""`companion connect EDITOR`: set-up of editors, shown before it is written, and taken out again on request.

editors.py    what goes where for each editor; a new one is a line in EDITORS
writing.py    whole files and marked blocks in files that hold other things too
command.py    the command itself
"""
