"""The one check against today: does what the history once taught still hold, by files, code and later commits?

What speaks of files, of names of code or of a version of a platform that are gone tells nothing of the code there is;
what a later commit took back is told as taken back. The same check decides what a scan promotes, and is held against
everything that was promoted before by each scan that finds something new and by each run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property

from msgspec import Struct, field

from companion.kinds.facts.canonical import version_order
from companion.kinds.history.choices import Choice, Question, choices_in, platform_of
from companion.kinds.history.landed import adr_paths
from companion.kinds.history.titles import SECURITY_FIX, advisory_in, bare_title, sort_of
from companion.kinds.history.undoing import Reversal, Undoing, how_undone, versions_in
from companion.kinds.paths import source_path, test_path
from companion.records import ChangeStatus, Commit, Decision, Draft, FileSeen, ParsedFile, Shape, ShapeFamily

RENAMES = 12
"""Renames a file is followed through: a file moved more often went in a circle."""
OUTLIVED_LEFT = 0.2
"""The share of the lines a change put that is left where what it did was not written anew since: BENCHMARKS-HISTORY,
"Junk"."""
TESTS_NAMED = 4
"""Tests of a commit that are named: what one reads in a sentence."""
SHA_SHOWN, PATHS_SHOWN = 9, 3
"""Characters of a commit's id, and paths, that a reason names: enough to look it up."""
_PLAIN_NAMES = re.compile(r"(?:index|main|mod|lib|init|__init__|__main__|app|setup)\.", re.IGNORECASE)
"""Names that a file has for its place in a folder: it is known again with the folder that tells which."""
_PLAIN_FOLDERS = re.compile(r"(?:src|sources?|lib|crates?|packages|pkg|main|python|java)$", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_QUOTED = re.compile(
    r"`(?!\w*(?:Error|Exception|Warning)`)([^`\s]{2,60})`"
    r"|\b([A-Za-z]\w*_\w+|_\w+|[a-z]+[A-Z][a-z]\w*|[A-Z]\w+(?:\.|::|#)[A-Za-z]\w+|(?<=[a-z0-9]\.)[A-Z]\w+)"
)
"""Words of a title that can only be names of code: `ignore_errors`, `readAll`."""
_VERSION = re.compile(r"\d+(?:\.\d+)*")


class Today(Struct, frozen=True, dict=True):
    """A checkout as it stands: its paths, where files moved, its code, and what commits took back.

    Without paths or code nothing is known to be gone. Code and texts are asked for once, and only where a name has to
    be looked up.
    """

    paths: frozenset[str]
    moved: Mapping[str, str]
    code: Callable[[], Sequence[ParsedFile]] = tuple
    texts: Callable[[Iterable[str]], Iterable[FileSeen]] = lambda paths: ()
    reversals: Sequence[Reversal] = ()
    reverted: Mapping[str, Commit] = field(default_factory=dict)
    given_up: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The newest version of each platform that is no longer supported."""
    lines_left: Callable[[str], tuple[int, int] | None] = lambda sha: None
    """How many lines of source a commit put, and how many of them are left; None where that is not known."""
    lines_made: Callable[[str, str], Collection[int]] = lambda sha, path: ()
    """The lines of a file, as it is now, that a commit made."""
    _read: dict[str, frozenset[str]] = field(default_factory=dict)

    # --- files ----------------------------------------------------------------------------------

    def has_files(self, paths: Sequence[str]) -> bool:
        """Whether half of some source still stands, itself or written anew elsewhere.

        Where just half does and tests were touched, one of these too: what is half gone with its tests is other code.
        """
        source = [path for path in paths if source_path(path)] or list(paths)
        tests = [path for path in paths if test_path(path)]
        known = sum(self.is_known(path) for path in source)
        if not self.paths or 2 * known < len(source):
            return not self.paths
        kept = 2 * sum(self.place_of(path) in self.paths for path in source) > len(source)
        return kept or not tests or any(map(self.is_known, tests))

    def there(self, paths: Sequence[str]) -> Sequence[str]:
        """Those of some paths whose file is there, whatever it is called now; all of them where none is."""
        return [path for path in paths if self.place_of(path) in self.paths] or paths

    def place_of(self, path: str) -> str:
        """Where a file lies now, as the renames tell; one that came back to its place is there."""
        for _ in range(RENAMES):
            if path in self.paths or path not in self.moved:
                break
            path = self.moved[path]
        return path

    def is_known(self, path: str) -> bool:
        """Whether a file is there, at its place, where it was moved to, or under its name elsewhere."""
        return self.place_of(path) in self.paths or _telling_name(path) in self._names_of[test_path(path)]

    @cached_property
    def _names_of(self) -> dict[bool, frozenset[str]]:
        """The names of files of source, and of tests: what is written anew keeps its name."""
        tests = [path for path in self.paths if test_path(path)]
        source = [path for path in self.paths if source_path(path)]
        return {True: frozenset(map(_telling_name, tests)), False: frozenset(map(_telling_name, source))}

    def outlived(self, sha: str) -> str:
        """Why what a commit did is no part of the code any more; empty where it is, and where it put nothing."""
        put, left = self.lines_left(sha) or (0, 0)
        return f"of {put} lines it put {left} are left" if left < OUTLIVED_LEFT * put else ""

    def tests_added(self, sha: str, paths: Sequence[str]) -> str:
        """What a commit's own tests are called, as far as they stand: all there is to tell of one that says nothing."""
        wanted = {self.place_of(path) for path in paths if test_path(path)}
        titles: dict[str, None] = {}
        for file in self.code() if wanted else ():
            made = self.lines_made(sha, file.path) if file.path in wanted else ()
            titles.update((_title_of_test(shape), None) for shape in file.shapes if shape.line in made)
        shown = [title.rstrip(".") for title in titles if title][:TESTS_NAMED]
        return f"Tests that came with it: {'; '.join(shown)}." if shown else ""

    # --- code -----------------------------------------------------------------------------------

    def speaks_of_today(self, title: str, paths: Sequence[str]) -> bool:
        """Whether the names in a title are still there, and the version of a platform it is about is supported."""
        if any(
            _is_older(found["version"], newest)
            for platform, newest in self.given_up.items()
            for found in _of_platform(platform).finditer(title)
        ):
            return False
        if not self._known or sort_of(title) == "removal":
            return True
        return self._has(
            [word for found in _QUOTED.findall(title) for word in _WORD.findall(found[0] or found[1])], paths
        )

    def applies(self, choice: Choice, paths: Sequence[str]) -> bool:
        """Whether a decision speaks of what still is.

        A deprecated name has to be defined in the code or the files at some paths, with what it is part of; of what was
        taken instead of something else any word has to stand, since products are named in many ways.
        """
        if not self._known:
            return True
        if choice.attribute == Question.STATUS:
            words = _WORD.findall(choice.subject.partition("(")[0])
            return bool(words) and all(word in self._defined or self._sets(word, paths) for word in words)
        if choice.attribute == Question.CHOICE:
            known = {name.lower() for name in self._known}
            return any(word.lower() in known for word in _WORD.findall(choice.taken))
        return True

    @cached_property
    def _defined(self) -> frozenset[str]:
        """Every name that the code defines, as a symbol, a parameter, a file or a folder."""
        names: set[str] = set()
        for file in self.code():
            names.update(_WORD.findall(file.path))
            for symbol in file.symbols:
                names.update(_WORD.findall(symbol.qualname))
                names.update(_WORD.findall(symbol.signature))
        return frozenset(names)

    @cached_property
    def _known(self) -> frozenset[str]:
        """Every name that stands in the code, used and imported ones too; empty without any code."""
        names = set(self._defined)
        for file in self.code():
            names.update(reference.name for reference in file.references)
            for item in file.imports:
                names.update(_WORD.findall(item.module))
                names.update(item.names)
        return frozenset(names.union(*(_WORD.findall(path) for path in self.paths))) if names else frozenset()

    def _sets(self, word: str, paths: Sequence[str]) -> bool:
        """Whether a line of the files at some paths begins by setting a name: `word: int = 1`, `static word(`."""
        setting = re.compile(rf"^[ \t]*(?:[\w@.]+ ){{0,4}}{re.escape(word)}\s*[:=(]", re.MULTILINE)
        return any(setting.search(file.text) for file in self.texts(map(self.place_of, filter(source_path, paths))))

    def _has(self, words: Sequence[str], paths: Sequence[str]) -> bool:
        """Whether all words stand in the code, or in the files at some paths."""
        missing = set(words) - self._known
        return not missing or missing <= {word for path in paths for word in self._words(self.place_of(path))}

    def _words(self, path: str) -> frozenset[str]:
        """The words of a file's text, comments and settings too."""
        if path not in self._read:
            self._read[path] = frozenset(word for file in self.texts((path,)) for word in _WORD.findall(file.text))
        return self._read[path]

    # --- later commits --------------------------------------------------------------------------

    def taken_back(self, sha: str, title: str, at: datetime, choice: Choice | None = None) -> Commit | None:
        """The commit that took back what a commit of this title did, or a choice that it states."""
        if sha in self.reverted:
            return self.reverted[sha]
        bare = bare_title(title).text
        stated = choice or next(choices_in(bare, ""), None)
        later = (one for one in self.reversals if one.commit.committed_at > at)
        return next((one.commit for one in later if _reverses(one, bare, stated)), None)

    def ended_by(self, draft: Draft) -> Commit | None:
        """The commit that took back what a memory says; None where it says so itself."""
        if draft.valid_to is not None or draft.valid_from is None or not draft.evidence:
            return None
        choice = choice_of(draft) if isinstance(draft.body, Decision) else None
        title = draft.evidence[0].quote if choice else draft.subject
        return self.taken_back(draft.evidence[0].ref, title, draft.valid_from, choice)

    def outdated(self, draft: Draft) -> str:
        """Why a memory holds no longer; empty where it does, and where it says itself until when it did.

        The fix of an advisory holds, whatever became of its files, and so does the end of a platform's support.
        """
        if draft.valid_to is not None:
            return ""
        if by := self.ended_by(draft):
            return f"{by.sha[:SHA_SHOWN]} {how_undone(by)} it: {by.subject}"
        choice = choice_of(draft) if isinstance(draft.body, Decision) else None
        paths = [name.removeprefix("file:") for name in draft.entities if name.startswith("file:")]
        why = self._against(choice, paths) if choice else self._outlived(draft, paths)
        if why or (choice and choice.attribute == Question.SUPPORT) or _closes_a_weakness(draft.subject):
            return why
        if paths and not adr_paths(paths) and not self.has_files(paths):
            gone = [path for path in paths if self.place_of(path) not in self.paths]
            return f"its files are gone: {', '.join(gone[:PATHS_SHOWN])}"
        return ""

    def _against(self, choice: Choice, paths: Sequence[str]) -> str:
        """What speaks against a decision."""
        if not choice.reason:
            return "its source gives no reason"
        named = choice.taken if choice.attribute == Question.CHOICE else choice.subject
        return "" if self.applies(choice, paths) else f"{named} is not in the code any more"

    def _outlived(self, draft: Draft, paths: Sequence[str]) -> str:
        """What speaks against an episode but that its files are gone."""
        if _closes_a_weakness(draft.subject):
            return ""
        if not self.speaks_of_today(draft.subject, paths):
            return "what it names is not in the code any more, or no longer supported"
        lasting = not draft.evidence or adr_paths(paths) or sort_of(draft.subject) == "revert"
        return "" if lasting else self.outlived(draft.evidence[0].ref)


def _closes_a_weakness(title: str) -> bool:
    return bool(advisory_in(title)) or SECURITY_FIX in title.lower()


def _title_of_test(shape: Shape) -> str:
    """What a test is called, in its own words; empty where a structure is none."""
    is_test = shape.family is ShapeFamily.TEST and shape.key.startswith(("test ", "case "))
    return (shape.slots.get("title", "") or shape.symbol) if is_test else ""


def choice_of(draft: Draft) -> Choice:
    """The choice that the memory of a decision states."""
    body = draft.body
    assert isinstance(body, Decision)
    return Choice(draft.subject, draft.attribute, body.choice, body.reason, draft.evidence[0].quote)


def _reverses(one: Reversal, bare: str, choice: Choice | None) -> bool:
    if one.reverted_title:
        return one.reverted_title == bare
    return choice is not None and any(_is_against(undoing, choice) for undoing in one.undone)


def _is_against(undoing: Undoing, choice: Choice) -> bool:
    if undoing.back and choice.attribute == Question.SUPPORT:
        return undoing.takes_platform(choice.subject)
    if undoing.back:
        return undoing.speaks_of(choice.subject) if undoing.sure else undoing.takes(choice.subject)
    if choice.attribute == Question.STATUS:
        return undoing.sure and undoing.takes(choice.subject)
    return choice.attribute == Question.CHOICE and undoing.takes(choice.taken)


def _telling_name(path: str) -> str:
    """The name that a file is known again by: where it is that of many, with the folders up to one that tells."""
    *folders, name = path.split("/")
    if not _PLAIN_NAMES.match(name):
        return name
    telling = next((i for i in reversed(range(len(folders))) if not _PLAIN_FOLDERS.match(folders[i])), 0)
    return "/".join((*folders[telling:], name))


def given_up_in(commits: Iterable[Commit]) -> dict[str, tuple[int, ...]]:
    """The newest version of each platform whose support a title says was dropped."""
    newest: dict[str, tuple[int, ...]] = {}
    for commit in commits:
        if "support" in commit.subject.lower():
            for choice in choices_in(bare_title(commit.subject).text, ""):
                versions = [version_order(found) for found in versions_in(choice.subject)]
                if choice.attribute == Question.SUPPORT and versions:
                    platform = platform_of(choice.subject)
                    newest[platform] = max([newest.get(platform, ()), *versions])
    return newest


@cache
def _of_platform(platform: str) -> re.Pattern[str]:
    words = r"[\s.-]*".join(map(re.escape, platform.split()))
    return re.compile(rf"\b{words}[\s-]?v?(?P<version>{_VERSION.pattern})", re.IGNORECASE)


def _is_older(told: str, newest: tuple[int, ...]) -> bool:
    """Whether all that a version covers is older: `3` covers more than `3.8`."""
    version = version_order(told)
    return version < newest[: len(version)] or (len(version) > 1 and version < newest)


def renames_of(commits: Iterable[Commit]) -> dict[str, str]:
    """Where each renamed file went, the last time."""
    return {
        change.old_path: change.path
        for commit in commits
        for change in commit.changes
        if change.status is ChangeStatus.RENAMED
    }
