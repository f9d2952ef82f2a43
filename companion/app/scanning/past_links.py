"""How the files of a project hung together at a few moments of its past, for learning what links are worth.

The trees are read newest first, from the code as it is indexed now: of each only the files are parsed that differ
from the tree read before it. Nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from msgspec import Struct

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
    runtime: Runtime,
    state: RepoState,
    checkout: str,
    commits: Sequence[Commit],
    workers: int,
    give_way: Callable[[], bool],
) -> PastLinks:
    """The links of the trees that `past_trees` asks for, as far as they can be read and parsed at a bounded cost.

    `give_way` is asked between two trees; if it says so, the older ones are left out.
    """
    parsed = {file.path: file for file in runtime.store.code.parsed(checkout)}
    trees = list(_trees(runtime, state, checkout, commits, give_way))
    read = syntax.parse_many((item for tree in trees for item in tree.changed), workers, redacted_source)
    found = {}
    for tree in trees:
        if give_way():
            break
        for path in tree.gone:
            parsed.pop(path, None)
        parsed |= {file.path: file for file in islice(read, len(tree.changed))}
        everything = [parsed[path] for path in sorted(parsed)]
        found[tree.number] = syntax.link(everything, syntax.Definitions(everything))
    return found


class _PastTree(Struct, frozen=True):
    """How a tree differs from the one that was read before it; `number` is the commit that came next."""

    number: int
    changed: Sequence[tuple[str, bytes, str]]
    gone: Collection[str]


def _trees(
    runtime: Runtime, state: RepoState, checkout: str, commits: Sequence[Commit], give_way: Callable[[], bool]
) -> Iterator[_PastTree]:
    known = {path: (size, 0, blob) for path, (_, size, blob) in runtime.store.code.known(checkout).items()}
    left = PARSED_MOST
    for number in reversed(past_trees(commits)):
        parents = commits[number].parents
        if not parents or give_way():
            return
        tree = files.CommitTree(state, parents[0])
        try:
            scan = files.scan(tree, known, runtime.settings.file_max_bytes)
            left -= scan.changed_count
            if left < 0:
                return
            changed = [(seen.path, data, seen.content_hash) for seen, data in scan.changed]
        except (SourceError, UsageError):  # a shallow or rewritten history has no such tree
            return
        finally:
            tree.close()
        for path in scan.gone:
            known.pop(path, None)
        known |= {path: (len(data), 0, content_hash) for path, data, content_hash in changed}
        yield _PastTree(number, changed, scan.gone)
