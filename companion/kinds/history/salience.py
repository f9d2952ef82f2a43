"""Which commits and branches are promoted to memories: those whose message says what was decided, mended or why.

Every commit is found as a passage; a memory is put before people who did not ask, so promotion is strict and its signs
are few. Something is promoted if it touches source, speaks of what there is today (see `today`: its files, its names
and, but for decisions, some of its lines are still there), and

- closes a weakness, whatever became of its files since;
- takes something back and says why;
- states a decision;
- names the error that it fixed, or says that it breaks what its users do, and tells more than its title;
- is explained: two sentences or more can be told, and somewhere its message joins what was done with its cause, its
  purpose or what was before it. Whoever takes that trouble thinks that others will need it; a short message is
  understood beside its change, where it is found.

A decision record is promoted by itself; what speaks of tests, documents, releases or tools is not, nor what a robot
wrote.
"""

from __future__ import annotations

from companion.kinds.history.choices import Choice, choices_in
from companion.kinds.history.failures import failure_fixed
from companion.kinds.history.landed import MEMBERS_READ, Landed, adr_paths
from companion.kinds.history.reasons import EXPLAINED_CHARS, contrasts
from companion.kinds.history.titles import bare_title, is_housekeeping
from companion.kinds.history.today import Today
from companion.kinds.paths import source_path
from companion.kinds.prose import narrative
from companion.language.reasons import explains
from companion.language.robots import is_robot
from companion.records import Commit, Failure


def is_salient(landed: Landed, today: Today) -> bool:
    """Whether a commit or branch becomes a memory; see the module."""
    if adr_paths(landed.paths):
        return True
    author = landed.commit.author
    if is_housekeeping(landed.title) or not any(map(source_path, landed.paths)):
        return False
    if not landed.members and is_robot(author.name, author.email):
        return False
    if landed.secure:
        return True
    if not today.has_files(landed.paths) or not today.speaks_of_today(landed.title, landed.paths):
        return False
    decided = list(choices_in(bare_title(landed.title).text, landed.story))
    if decided:
        is_title = decided[0].sentence == bare_title(landed.title).text.rstrip(".")
        return not is_title or today.applies(decided[0], landed.paths)
    outlived = landed.sort != "revert" and bool(today.outlived(landed.commit.sha))
    return not outlived and gives_reason(landed)


def gives_reason(landed: Landed) -> bool:
    """Whether the message explains what was done, and why.

    Of what takes something back, breaks what users do or mends an error that it names, any word below the title will
    do.
    """
    told = landed.told
    if landed.sort == "revert" or landed.breaking or failure_of(landed) is not None:
        return bool(told)
    return len(told) >= EXPLAINED_CHARS and (explains(landed.story) or contrasts(landed.story))


def failure_of(landed: Landed) -> Failure | None:
    """The error that was fixed, as its message names it."""
    said = landed.said_in or landed.commit
    sha = landed.commit.sha
    return failure_fixed(landed.title, said.body, sha) or failure_fixed(said.subject, said.body, sha)


def decisions_of(landed: Landed) -> dict[tuple[str, str], tuple[Commit, Choice]]:
    """The decisions that a message and those of a branch's few commits state, by their question, with the commit."""
    found: dict[tuple[str, str], tuple[Commit, Choice]] = {}
    sources = [(landed.commit, bare_title(landed.title).text, landed.story)]
    sources += [
        (member, bare_title(member.subject).text, narrative(member.body))
        for member in landed.members[:MEMBERS_READ]
        if not member.is_merge
    ]
    for commit, title, story in sources:
        for choice in choices_in(title, story):
            found.setdefault(choice.key, (commit, choice))
    return found
