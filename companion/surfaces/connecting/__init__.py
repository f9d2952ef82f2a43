"""`companion connect NAME`: set-up of editors and assistants, shown before it is written, and taken out on request.

    targets.py     what a set-up consists of, and who can be set up
    assistants.py  what goes where for each assistant; a new one is a row in ASSISTANTS
    settings.py    one entry in a JSON file with comments, everything else left as it stands
    file_edits.py  whole files, marked blocks and entries, written at once and kept before
    command.py     the command itself

Others add targets by the entry point group `companion.connections`, as the language server does its editors.
"""
