"""An ask with something missing is completed from what goes on in the checkout; what is given always wins.

Each signal that was added is named beside the answer with where it comes from. A question about another
moment is left as it is: what goes on now has nothing to do with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from companion.app.checkout import OpenCheckout
from companion.engine.attending.focus import COMMIT_ID, activity_in, branch_words
from companion.records import Activity, ErrorReport, Signals
from companion.store.working import sightings

if TYPE_CHECKING:
    from companion.app.working.session import AtHand

ERRORS_LATELY = timedelta(minutes=10)
"""Errors seen so lately, and not gone since, are what one works on."""
DIAGNOSTICS_STAND = timedelta(seconds=60)
"""A diagnostic that is there for less is a line half typed."""
COMMITS_NAMED, COMMIT_FILES = 3, 8
"""Commits of a task that are looked up, and files of each that the task is taken to name."""
ERRORS_MOST = 3
"""Errors an ask is completed with: the latest ones, the others follow from them more often than not."""


class Completed(Struct, frozen=True):
    """Signals with nothing missing that is known, errors seen beside them, and of each addition how it is known."""

    signals: Signals
    errors: tuple[ErrorReport, ...] = ()
    inferred: Mapping[str, str] = field(default_factory=dict)


def complete(checkout: OpenCheckout, signals: Signals) -> Completed:
    """The signals (already fit for use), completed with what is at hand in the checkout."""
    if signals.at is not None or checkout.state.bare:
        return Completed(signals)
    at_hand = checkout.session().at_hand()
    known: dict[str, str] = {}
    signals = _commits(checkout, signals, known)
    signals = _files(checkout, signals, at_hand, known)
    branch = checkout.state.branch
    if not signals.branch and checkout.work_folder() is not None and branch_words(branch):
        signals, known["branch"] = replace(signals, branch=branch), "it is checked out"
    if not signals.collaborators and at_hand.people:
        signals = replace(signals, collaborators=at_hand.people)
        known["collaborators"] = "their commits arrived recently"
    if not signals.usual and (usual := checkout.session().usual_steps(checkout.project, checkout.now())):
        signals, known["usual"] = replace(signals, usual=usual), "run at this time of day or week before"
    errors = () if signals.errors or not at_hand.events else errors_lately(checkout)
    if errors:
        known["errors"] = "seen in the last minutes and not gone since"
    signals = _by_name(signals)
    if signals.activity is None and not signals.errors:
        signals = _activity(signals, at_hand, known, seen_error=bool(errors))
    return Completed(signals, errors, known)


def _by_name(signals: Signals) -> Signals:
    """An editor has the text of the file at hand; an assistant with a task its name, unless it says that it read it.

    For it the file is one of those that are worked on, whose places are shown as those of any other.
    """
    file = signals.current_file
    if not file or not signals.assistant or not signals.query.strip() or file in signals.has:
        return signals
    return replace(signals, current_file="", edited=(file, *(one for one in signals.edited if one != file)))


def errors_lately(checkout: OpenCheckout) -> tuple[ErrorReport, ...]:
    """Errors of commands and diagnostics that were seen lately and are still there, newest first."""
    now = checkout.now()
    seen = sightings.open_lately(
        checkout.store.database, checkout.checkout, now - ERRORS_LATELY, now - DIAGNOSTICS_STAND, ERRORS_MOST
    )
    return tuple(one.report for one in seen)


def _activity(signals: Signals, at_hand: AtHand, known: dict[str, str], *, seen_error: bool) -> Signals:
    """What a person says of the task goes first, then an error that is there, then what happened lately."""
    if said := activity_in(signals.query):
        known["activity"] = f"the query says “{said[1]}”"
        return replace(signals, activity=said[0])
    if seen_error:
        known["activity"] = "an error was seen in the last minutes and is not gone"
        return replace(signals, activity=Activity.DEBUGGING)
    sign = at_hand.doing(signals.branch)
    if sign is None:
        return signals
    known["activity"] = sign.says
    return replace(signals, activity=sign.activity)


def _commits(checkout: OpenCheckout, signals: Signals, known: dict[str, str]) -> Signals:
    """The task with the subject of each commit that it names, and with what that changed, in place of its id."""
    query = signals.query
    for sha in list(dict.fromkeys(COMMIT_ID.findall(query)))[:COMMITS_NAMED]:
        commit = checkout.store.history.commit(checkout.project, sha)
        if commit is not None:
            paths = " ".join(change.path for change in commit.changes[:COMMIT_FILES])
            query = f"{query.replace(sha, commit.subject)}\n{paths}"
            known["query"] = f"{sha[:10]} is a commit"
    return replace(signals, query=query)


def _files(checkout: OpenCheckout, signals: Signals, at_hand: AtHand, known: dict[str, str]) -> Signals:
    if not at_hand.events:
        return signals
    there = checkout.library().paths()

    def alive(paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(path for path in paths if path in there or checkout.holds(path))

    if not signals.current_file and alive([at_hand.current_file]):
        signals = replace(signals, current_file=at_hand.current_file)
        known["current_file"] = at_hand.centre.says(at_hand.current_file)
    if not signals.edited and (edited := alive(at_hand.edited(signals.current_file))):
        signals, known["edited"] = replace(signals, edited=edited), "edited recently, most interesting first"
    if not signals.opened:
        opened = tuple(path for path in alive(at_hand.opened(signals.current_file)) if path not in signals.edited)
        if opened:
            signals, known["opened"] = replace(signals, opened=opened), "open in an editor, most interesting first"
    return signals
