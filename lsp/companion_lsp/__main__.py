"""`python -m companion_lsp`: a session over standard input and output, as our own extension starts one.

Nothing of the command line is loaded, and where the folder that the editor has open is a repository its daemon comes
up meanwhile: the first question would start it anyway, half a second later.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from companion_lsp.stdio import serve_stdio


def daemon_soon() -> None:
    """Have a daemon started if there is none, this is a repository, and the setting `daemon` lets it be."""
    from pathlib import Path

    from companion.client import daemon_use
    from companion.client.companions import work_tree
    from companion.client.starting import start_daemon
    from companion.config import DaemonUse, data_home
    from companion.errors import CompanionError

    with suppress(CompanionError, OSError):  # whoever asks first is told
        home = data_home()
        if work_tree(Path.cwd()) is not None and daemon_use(home) is not DaemonUse.NEVER:
            start_daemon(home)


if __name__ == "__main__":
    threading.Thread(target=daemon_soon, name="daemon", daemon=True).start()
    serve_stdio()
