"""Memories become versions that may leave, those of others become memories; the withdrawn leaves every place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from companion.app.checkout import OpenCheckout
from companion.app.consolidation.opposing import ARRIVED_SCAN_S, note_opposed
from companion.app.deleting import leave_and_tell
from companion.app.runtime import Runtime
from companion.errors import UsageError
from companion.records import Contradiction, Memory, Visibility
from companion.records.memory import TEAM
from companion.records.team import SharedResolution, TeamRecord, Withdrawal
from companion.signals import git
from companion.store import projects
from companion.store.memories.memories import ReconcileOutcome
from companion.store.team import verdicts
from companion.store.team.records import Arrived, StoredRecord, TeamRecords
from companion.team.door import version_of, why_refused
from companion.team.text import record_id

JUST_AFTER = timedelta(seconds=1)
"""The least by which one moment that travels is later than another."""


def records_of(runtime: Runtime) -> TeamRecords:
    """The team's records of a store."""
    return TeamRecords(runtime.store.database, runtime.store.memories)


def author_of(here: OpenCheckout) -> str:
    """Who shares from this checkout, as git's settings say. Raises UsageError where they say nothing."""
    said = git.user_of(here.state)
    name, email = (" ".join(here.fit(part).split()) for part in (said.name, said.email))
    if name and email:
        return f"{name} <{email}>"
    what = "name" if not name else "address"
    command = 'git config user.name "YOUR NAME"' if not name else "git config user.email YOU@EXAMPLE.ORG"
    raise UsageError(
        f"Git knows no {what} of yours here, and what is shared says whose it is.", f"Set it: `{command}`."
    )


def share(here: OpenCheckout, memory: Memory, author: str) -> Memory:
    """Make a memory project-shared, and a version of it that may leave; returns the memory that is shared.

    Raises UsageError for one that may not leave; then nothing is changed.
    """
    shared = replace(memory.draft, visibility=Visibility.PROJECT_SHARED)
    version_of(shared, author, here.now(), here.runtime.adapters.redactor)
    with here.store.database.write():
        if memory.draft.visibility is not Visibility.PROJECT_SHARED:
            memory = here.store.memories.revise(memory.id, shared, here.now())
        _make(here, memory, author)
    return memory


def make_versions(here: OpenCheckout, author: str) -> tuple[Memory, ...]:
    """Make versions of all that is project-shared, may leave and is not shared yet; returns those memories."""
    made = []
    for memory in records_of(here.runtime).unshared(here.project):
        with suppress(UsageError):  # what may not leave is project-shared here all the same
            _make(here, memory, author)
            made.append(memory)
    return tuple(made)


def _make(here: OpenCheckout, memory: Memory, author: str) -> None:
    records = records_of(here.runtime)
    if memory.id in records.versions_of(here.project, [memory.id]):
        return
    version = version_of(
        memory.draft,
        author,
        here.now(),
        here.runtime.adapters.redactor,
        replaces=records.replaced_by(memory.id),
        folders=machine_folders(here),
    )
    id_ = record_id(version)
    records.add(here.project, {id_: version}, here.now(), {id_: memory.id})


def machine_folders(here: OpenCheckout) -> dict[str, str]:
    """Folders of this machine that texts may name, and what is written instead, the longest first."""
    root, home = str(git.folder_of(here.state)), str(Path.home())
    named = {f"{root}/": "", root: ".", str(here.store.home): "~/.companion", home: "~"}
    return {folder: named[folder] for folder in sorted(named, key=len, reverse=True) if len(folder) > 1}


def withdraw(here: OpenCheckout, memory: Memory) -> Memory:
    """Take back what was shared of a memory, all versions of it by its author; returns the memory, private again.

    Raises UsageError for one that is not shared, and for what somebody else shared.
    """
    versions = _versions_of(here, memory)
    if not versions:
        raise UsageError(f"{memory.id[:12]} is not shared.", "`companion team status` lists what is.")
    if not any(one.made_here for one in versions) and versions[0].author != (mine := author_of(here)):
        raise UsageError(f"{versions[0].author} shared it, and you are {mine}.", "Only its author can withdraw it.")
    backs = [Withdrawal(one.id, one.author, here.now()) for one in versions if one.author == versions[0].author]
    own = not memory.draft.origin.startswith(f"{TEAM}:")
    with here.store.database.write():
        if own and not memory.archived_reason:
            private = replace(memory.draft, visibility=Visibility.USER_PRIVATE)
            memory = here.store.memories.revise(memory.id, private, here.now())
        records_of(here.runtime).add(here.project, {record_id(one): one for one in backs}, here.now())
    leave_and_tell(here)
    return memory


def _versions_of(here: OpenCheckout, memory: Memory) -> list[StoredRecord]:
    """The versions that say a memory, its own first, and all that they took the place of."""
    stored = {
        one.id: one for one in records_of(here.runtime).stored(here.project) if one.sort == "version" and one.text
    }
    first = [one for one in stored.values() if one.memory == memory.id]
    found: dict[str, StoredRecord] = {}
    wanted = first[:1]
    while wanted:
        one = wanted.pop()
        found[one.id] = one
        again = [other for other in stored.values() if (other.record_key, other.author) == (one.record_key, one.author)]
        before = [stored[id_] for id_ in one.about if id_ in stored]
        wanted += [other for other in (*again, *before) if other.id not in found]
    return list(found.values())


def take_in(here: OpenCheckout, records: Mapping[str, TeamRecord]) -> tuple[Arrived, tuple[tuple[str, str], ...]]:
    """Take in what others made: what came of it, and the ids of records that were not taken, each with why.

    Every record that is not known passes the door once more. What follows from it is noted, and `follow` does that.
    """
    stored, redactor, since = records_of(here.runtime), here.runtime.adapters.redactor, here.now()
    known = stored.known_among(here.project, list(records))
    fresh = {id_: one for id_, one in records.items() if id_ not in known}
    refused = {id_: why for id_, one in fresh.items() if (why := why_refused(one, redactor))}
    with here.store.database.write():
        arrived = stored.take_in(here.project, {id_: one for id_, one in fresh.items() if id_ not in refused}, since)
        _note_arrived(here, arrived, since)
    return arrived, tuple(refused.items())


def follow(here: OpenCheckout) -> int:
    """Have what was withdrawn leave every place, compare what came; returns how many contradictions that opens."""
    leave_and_tell(here)
    said = _came(here)
    if not said:
        return 0
    came, since = ReconcileOutcome(added=1), datetime.fromisoformat(said.split()[0])
    noted = note_opposed(here.runtime, here.project, came, since, ARRIVED_SCAN_S)
    with here.store.database.write(quiet=True):
        if _came(here) == said:  # else more came meanwhile, and all of it is looked at again
            projects.set_value(here.store.database, _came_name(here), "")
    return noted.contradictions


def _note_arrived(here: OpenCheckout, arrived: Arrived, since: datetime) -> None:
    """Note with what came from when on it is to be compared, so that whoever comes next does where the program ends."""
    if arrived.memories:
        first, *_ = (*_came(here).split(), since.isoformat())
        projects.set_value(here.store.database, _came_name(here), f"{first} {since.isoformat()}")


def _came(here: OpenCheckout) -> str:
    """When the first and the last came of memories that nobody has compared with what is known; empty: none did."""
    return projects.get_value(here.store.database, _came_name(here))


def _came_name(here: OpenCheckout) -> str:
    return f"team came since:{here.project}"


def note_resolution(here: OpenCheckout, one: Contradiction) -> None:
    """A contradiction of shared memories that was resolved here becomes a record that travels.

    It is later than every resolution of the same two that is known here, whatever the clock of their author said: who
    decides knowing of them prevails everywhere, as here.
    """
    records, how = records_of(here.runtime), one.resolution
    tied = records.versions_of(here.project, [memory.id for memory in one.members])
    pairs = [(tied[a.id], tied[b.id]) for a in one.side_a for b in one.side_b if a.id in tied and b.id in tied]
    if not pairs or how is None:
        return
    try:
        author = author_of(here)
    except UsageError as unknown:
        here.say(f"It is resolved here alone. {unknown}")
        return
    make_versions(here, author)
    turned = {"a_wins": "b_wins", "b_wins": "a_wins"}
    made, stored = [], sorted(records.stored(here.project), key=lambda one: one.made_at)
    before = {one.about: one.made_at for one in stored if one.sort == "resolution"}
    for a, b in pairs:
        right = how if a < b else type(how)(turned.get(how.value, how.value))
        first, second = sorted((a, b))
        after = before[first, second] + JUST_AFTER if (first, second) in before else here.now()
        made.append(SharedResolution(first, second, right, author, max(after, here.now()), one.note))
    records.add(here.project, {record_id(record): record for record in made}, here.now())


def note_verdicts(here: OpenCheckout) -> None:
    """What was answered here of pairs of shared memories becomes records that travel, where git knows the user."""
    with suppress(UsageError):  # git knows no user
        author = author_of(here)
        made = {record_id(one): one for one in verdicts.to_tell(here.store.database, here.project, author)}
        known = records_of(here.runtime).known_among(here.project, made)
        if fresh := {id_: one for id_, one in made.items() if id_ not in known}:
            records_of(here.runtime).add(here.project, fresh, here.now())


def withdraw_erased(here: OpenCheckout, ids: Sequence[str]) -> None:
    """What the user deletes for good is taken back from the team as well, where it was shared from here."""
    tied = records_of(here.runtime).versions_of(here.project, ids)
    stored = {one.id: one for one in records_of(here.runtime).stored(here.project)} if tied else {}
    backs = [Withdrawal(id_, stored[id_].author, here.now()) for id_ in tied.values() if stored[id_].made_here]
    if backs:
        records_of(here.runtime).add(here.project, {record_id(one): one for one in backs}, here.now())
        here.say("It was shared: `companion team export` tells the others to delete it. Git keeps what was committed.")
