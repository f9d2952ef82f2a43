"""The world as records: commits, files and errors, read without changing anything.

Where a new source goes: a module of its own in this folder that turns what it reads into records of
`companion.records.events`, and a call in the composition root. A new compiler, runtime or test tool
whose messages should be understood is a module in `errors/` and a line in its tuple `FAMILIES`. A
new sort of file that must not be opened is a line in `ignore.py`, with its reason.

    git/         the only room that runs git: checkouts, commits, trees, blobs
    files/       the files of a checkout or of a commit, and what changed since they were last read
    ignore.py    which files are not opened, and why
    paths.py     any bytes as a printable path, and back
    errors/      tracebacks and compiler messages
    transcripts/ what coding assistants keep of their sessions
"""
