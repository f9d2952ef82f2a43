"""`python -m companion_lsp`: a session over standard input and output, as our own extension starts one.

Nothing of the command line is loaded, and where the folder that the editor has open is a repository its owner comes
up meanwhile: the first question would start it anyway, half a second later.
"""

from __future__ import annotations

import threading
from contextlib import suppress

from companion_lsp.stdio import serve_stdio


def owner_soon() -> None:
    """Have an owner started if there is none, this is a repository, and the setting `owner` lets it be."""
    from pathlib import Path

    from companion.client import owner_use
    from companion.client.companions import work_tree
    from companion.client.starting import start_owner
    from companion.config import OwnerUse, data_home
    from companion.errors import CompanionError

    with suppress(CompanionError, OSError):  # whoever asks first is told
        home = data_home()
        if work_tree(Path.cwd()) is not None and owner_use(home) is not OwnerUse.NEVER:
            start_owner(home)


if __name__ == "__main__":
    threading.Thread(target=owner_soon, name="owner", daemon=True).start()
    serve_stdio()
