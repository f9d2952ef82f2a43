"""What later commits take back: by reverting it, or by a title that brings back, gives up or removes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from companion.kinds.history.titles import bare_title, shown_title
from companion.language.openings import unopened
from companion.language.phrases import opens, parted
from companion.language.word_lists import listed
from companion.records import Commit

_REVERTED = re.compile(r"^revert\w*:?\s+[\"“](?P<title>.+)[\"”]", re.IGNORECASE)
_NAMES = re.compile(r"[\w$@][\w$.:@-]*")


def last_name(text: str) -> str:
    """The last part of a name of code, in lower case: what two ways to write it share."""
    return re.split(r"\.|::|#", text.strip("`'\" .:").removesuffix("()").lower())[-1]


def versions_in(text: str) -> list[str]:
    """The versions that a text names."""
    return re.findall(r"\d+(?:\.\d+)*", text)


class Undoing(Struct, frozen=True):
    """Things that a title brings back (`back`), or gives up; `sure` of a verb that can be said of nothing else.

    What is deprecated no more or removed is sure; what is restored may be its tests, what is used no more its calls.
    """

    things: str
    back: bool
    sure: bool = False

    def speaks_of(self, name: str) -> bool:
        """Whether a name stands among the words of the things."""
        return any(last_name(name) == last_name(word) for word in _NAMES.findall(self.things))

    def takes(self, name: str) -> bool:
        """Whether a name is one of the things itself: `Remove X tests` leaves X."""
        items = re.split(r",|\band\b|&", self.things)
        return any(last_name(bare_name(item)) == last_name(name) for item in items)

    def takes_platform(self, name: str) -> bool:
        """Whether a version of a platform is meant and nothing about it: `Restore Python 3.7 docs` is of documents."""
        said = [word.strip(".:").casefold() for word in _NAMES.findall(self.things)]
        versions = versions_in(self.things)
        known = {name.split(maxsplit=1)[0].casefold(), "support", "for", "and", "the", *versions}
        return known >= set(said) and bool(set(versions) & set(versions_in(name)))


class Reversal(Struct, frozen=True):
    """A commit that takes something back: what its title says, or the title that it reverts."""

    commit: Commit
    undone: tuple[Undoing, ...]
    reverted_title: str = ""


def reverted_by(commits: Sequence[Commit]) -> Mapping[str, Commit]:
    """The id of each commit that stands reverted, with the revert that did it; `commits` are oldest first.

    Read from the newest back, so that a revert which was taken back itself counts for nothing. Ids shorter than full
    ones match by their beginning.
    """
    known = {commit.sha for commit in commits}
    found: dict[str, Commit] = {}
    for commit in reversed(commits):
        if not commit.reverts or commit.sha in found:
            continue
        target = commit.reverts
        if target not in known and len(target) < 40:
            target = next((sha for sha in sorted(known) if sha.startswith(target)), target)
        found.setdefault(target, commit)
    return found


def reversals_in(commits: Iterable[Commit], reverted: Collection[str]) -> tuple[Reversal, ...]:
    """The commits that take something back, in their order, without those that were reverted themselves."""
    return tuple(one for commit in commits if commit.sha not in reverted and (one := _reversal(commit)))


def reverted_title(commit: Commit) -> str:
    """The title of what a commit takes back, as its own quotes it; empty where it quotes none."""
    quoted = _REVERTED.match(shown_title(commit.subject))
    return bare_title(quoted["title"]).text if quoted else ""


def how_undone(commit: Commit) -> str:
    """The word for what a commit did to what it takes back: what is deprecated is `removed` later, not `reverted`."""
    one = None if commit.reverts else _reversal(commit)
    return "removed" if one and any(each.sure and not each.back for each in one.undone) else "reverted"


def _reversal(commit: Commit) -> Reversal | None:
    if title := reverted_title(commit):
        return Reversal(commit, (), title)
    undone = tuple(_undoings(unopened(bare_title(commit.subject).text.strip().rstrip("."))))
    return Reversal(commit, undone) if undone else None


def _undoings(title: str) -> Iterator[Undoing]:
    things, again, _ = parted(title, "written.undoing.holds_again")
    if not again and (end := opens(title, "written.undoing.brings_back")):
        things, again = title[end:].strip(), title[:end]
    gone = opens(title, "written.undoing.removes")
    if again and "deprecat" not in things.lower():  # what is brought back is the deprecation
        yield Undoing(things, back=True, sure="deprecat" in title.lower())
    elif not again and (end := gone or opens(title, "written.undoing.gives_up")):
        yield Undoing(_object(title[end:]), back=False, sure=bool(gone))
    _, instead, other = parted(title, "written.undoing.instead")
    if instead:
        yield Undoing(re.split(r"[,;:]", other)[0], back=False)


def bare_name(thing: str) -> str:
    """A name without the words that make no other thing of it: `the old `load_all` function`."""
    around = listed("written")["undoing"]["around"].split()
    return " ".join(word for word in thing.split() if word.lower() not in around)


def _object(rest: str) -> str:
    """What a verb is about: what is removed from a place is not gone."""
    return parted(re.split(r"[;(]|:(?=\s|$)", rest)[0], "written.undoing.object_ends")[0]
