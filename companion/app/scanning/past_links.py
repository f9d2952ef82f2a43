"""How the files of a project hung together at a few moments of its past, for learning what links are worth.

The trees are read newest first, from the code as it is indexed now: of each only the files are parsed that differ
from the tree behind it. Nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion import syntax
from companion.adapters.secrets import redacted_source
from companion.app.runtime import Runtime
from companion.engine.predicting.learn import PastLinks, past_trees
from companion.errors import SourceError, UsageError
from companion.records import Commit, RepoState
from companion.signals import files

PARSED_MOST = 3_000
"""Files parsed for all trees together, some ten seconds: past them, older trees are left out."""


def past_links(
    runtime: Runtime, state: RepoState, checkout: str, commits: Sequence[Commit], give_way: Callable[[], bool]
) -> PastLinks:
    """The links of the trees that `past_trees` asks for, as far as they can be read and parsed at a bounded cost.

    `give_way` is asked between two trees; if it says so, the older ones are left out.
    """
    parsed = {file.path: file for file in runtime.store.code.parsed(checkout)}
    known = {path: (size, 0, blob) for path, (_, size, blob) in runtime.store.code.known(checkout).items()}
    found = {}
    left = PARSED_MOST
    for number in reversed(past_trees(commits, syntax.is_code)):
        parents = commits[number].parents
        if not parents or give_way():
            break
        tree = files.CommitTree(state, parents[0])
        try:
            scan = files.scan(tree, known, runtime.settings.file_max_bytes)
            left -= scan.changed_count
            if left < 0:
                break
            items = [(seen.path, data, seen.content_hash) for seen, data in scan.changed]
        except (SourceError, UsageError):  # a shallow or rewritten history has no such tree
            break
        finally:
            tree.close()
        for path in scan.gone:
            parsed.pop(path, None)
            known.pop(path, None)
        for file in syntax.parse_many(items, 1, redacted_source):
            parsed[file.path] = file
            known[file.path] = (file.size_bytes, 0, file.content_hash)
        everything = [parsed[path] for path in sorted(parsed)]
        found[number] = syntax.link(everything, syntax.Definitions(everything))
    return found
