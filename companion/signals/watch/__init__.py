"""Changed files and moved references of a checkout, told as they happen and a burst at a time.

    watching.py   one eye on one checkout; mends what a source loses by asking for a full look
    burst.py      gathers what happens within a moment into one telling
    ignores.py    which files and folders nobody wants to hear of
    references.py which paths of git's folder mean something, and whether a commit was made
    linux.py      a watch on each folder that is not ignored
    elsewhere.py  what the system watches by itself (macOS, Windows), and looking again and again

A new system that watches folders is a module with a `Source`, and a line in `watching.py`.
"""

from companion.signals.watch.watching import Changed, Watching, WatchState
