"""What the watcher and git report becomes part of what goes on: files saved by any editor, commits that came in.

To be called after a refresh. Editors that tell nothing are heard this way too; those that do are not
counted twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from companion.app.checkout import OpenCheckout
from companion.records import Commit, Event, Happening
from companion.signals import git

SAVED_MOST = 5
"""Files saved at once by a person; more of them are written by a checkout, a formatter or a build."""
TOLD_ALREADY = timedelta(seconds=10)
"""An edit that an editor reported so shortly before is the same one."""
_EDITS = frozenset([Happening.EDITED, Happening.SAVED])


def note_changes(checkout: OpenCheckout, paths: Sequence[str] = (), commits: Sequence[Commit] = ()) -> None:
    """Note files that were saved (indexed paths), new commits, and the branch if it is another one.

    Commits of the user are no news. Nothing is noted of a checkout that was never read.
    """
    if checkout.was_read():
        checkout.session().note(tuple(_events(checkout, paths, commits)))


def branch_event(checkout: OpenCheckout) -> Iterator[Event]:
    """The branch, if it is not the one noted last."""
    if checkout.state.branch != checkout.session().at_hand().branch:
        yield Event(0, checkout.now(), Happening.BRANCH, branch=checkout.state.branch)


def _events(checkout: OpenCheckout, paths: Sequence[str], commits: Sequence[Commit]) -> Iterator[Event]:
    now = checkout.now()
    moved = tuple(branch_event(checkout))
    yield from moved
    if people := _others(checkout, commits):
        yield Event(0, now, Happening.ARRIVED, people=people)
    if len(paths) > SAVED_MOST or commits or (moved and checkout.session().at_hand().events):
        return
    told = {event.path for event in checkout.session().at_hand().since(now - TOLD_ALREADY) if event.what in _EDITS}
    for path in paths:
        if path not in told:
            yield Event(0, now, Happening.SAVED, path)


def _others(checkout: OpenCheckout, commits: Sequence[Commit]) -> tuple[str, ...]:
    """Authors and co-authors of commits but for the user, the latest first."""
    if not commits:
        return ()
    me = git.user_of(checkout.state)
    fit = checkout.fit
    people = [
        person
        for commit in reversed(commits)
        for person in (commit.author, *commit.co_authors)
        if person.email.lower() != me.email.lower() and person.name != me.name
    ]
    return tuple(dict.fromkeys(fit(person.name) for person in people if person.name))
