"""Notes: plain Markdown files that the user and the assistant write, and the preamble that shows them whole.

The program never rewrites a note. It makes a page that somebody asks for, and sets the fields of the status
that it is told to set, each on its own line; every other byte stays.

    locations.py which notes there are: names and files
    note_text.py what a file says, within limits, whatever lies in its place
    atomic.py    a changed file in the place of the old one, also while an editor saves it
    status.py    the status: one line a field, each with its time
    preamble.py  the pages on one sheet, within a budget
"""
