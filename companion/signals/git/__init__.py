"""Git, read only: checkouts, commits, trees and blobs. The only room that runs git.

Every command runs without hooks, monitors, pagers, external programs, locks or network, and nothing
is ever written. Paths leave here as `companion.signals.paths` describes.

    running.py   how git is started, and the errors it can answer with
    checkout.py  `open_repository`: a checkout as it stands, and one name for its remote however that is written
    history.py   commits, ancestry
    blaming.py   where the lines of a file came from
    following.py what commits did to some lines, followed back through renames and moves
    changed.py   what commits did to lines: each of a long run of history at once, or one
    trees.py     files of a commit or of the work tree, blobs
    commits.py   what `git log` prints, as commits
    messages.py  what a commit message says beside its text: people, reverts, requests
    processes.py child processes that stream or answer line by line
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.signals.git.blaming import *
    from companion.signals.git.branches import *
    from companion.signals.git.changed import *
    from companion.signals.git.checkout import *
    from companion.signals.git.following import *
    from companion.signals.git.history import *
    from companion.signals.git.running import *
    from companion.signals.git.trees import *

_NAMES = {
    "blaming": "blame",
    "branches": "Branches",
    "checkout": (
        "IN_PROGRESS common_folder content_of git_folder head_and_branch history_ends open_repository user_of"
    ),
    "following": "line_history",
    "history": (
        "branch_exists count_commits first_releases is_ancestor merged_by named_commits reachable reached_only "
        "read_commits those_reached unmerged"
    ),
    "changed": "changed_lines edited_spans first_parents line_changes old_spans",
    "running": "folder_of",
    "trees": "LINK SUBMODULE Blobs Listing TreeEntry ignored ignored_folders list_files read_tree",
}

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
