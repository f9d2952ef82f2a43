"""The story of some lines, read from git: its steps, and every commit that wrote one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from shlex import quote

from msgspec import Struct, field
from msgspec.structs import replace

from companion.kinds.history.forges import links_of
from companion.kinds.history.story import only_formats, step_of, story_of, with_making
from companion.records import Blamed, Commit, HistoryEnd, LineChange, RepoState, Span, StoryStep
from companion.signals import git

ENDS = {
    HistoryEnd.BEGUN: "",
    HistoryEnd.SHALLOW: "What was before is not here: the clone is shallow (`git fetch --unshallow` brings it).",
    HistoryEnd.TIME: "What was before was not read: the history is too long.",
}
"""What is said of a history that does not go back to its beginning."""


class Story(Struct, frozen=True):
    """The steps of a story, the oldest first; `by_commit` has any commit that wrote a line; `end` as in `Why`.

    `wrote` says which commit wrote which of the lines, those that only dressed them anew passed over.
    """

    steps: tuple[StoryStep, ...] = ()
    by_commit: Mapping[str, StoryStep] = field(default_factory=dict)
    wrote: tuple[Blamed, ...] = ()
    end: str = ""


def read_story(state: RepoState, path: str, content: bytes, lines: Span, name: str, fit: Callable[[str], str]) -> Story:
    """The story of the lines of a file with this content; `fit` takes secrets out of a text. Blank lines have none."""
    if not b"".join(content.splitlines()[lines[0] - 1 : lines[1]]).strip():
        return Story()
    history = git.line_history(state, path, lines)
    found = [replace(change, commit=_fitting(change.commit, fit)) for change in history.changes]
    changes = with_making(found, name)
    dressed = [change.commit.sha for change in changes if only_formats(change)]
    wrote = git.blame(state, path, content, lines, dressed)
    left = Counter(one.sha for one in wrote if one.sha for _ in range(one.first, one.last + 1))
    steps = story_of(changes, name, left)
    end, more = ENDS[history.end], len({one.commit.sha for one in changes} - {step.sha for step in steps})
    if more:
        asks = f"git log {quote(f'-L{lines[0]},{lines[1]}:{path}')}"
        end = f"{more:,} more commit{'s' * (more > 1)} changed it: `{asks}`. {end}".strip()
    others = git.named_commits(state, sorted(left.keys() - {change.commit.sha for change in changes}))
    changes += (LineChange(_fitting(commit, fit), path, lines, (), ()) for commit in others)
    told = left.keys() | {step.sha for step in steps}
    shown = [one for one in changes if one.commit.sha in told]
    releases = git.first_releases(state, [one.commit.sha for one in shown])
    by_commit = {
        one.commit.sha: _linked(state, one.commit, step_of(one, name), fit(releases.get(one.commit.sha, "")))
        for one in shown
    }
    return Story(tuple(by_commit[step.sha] for step in steps), by_commit, wrote, end)


def within(blamed: Iterable[Blamed], lines: Span) -> list[Blamed]:
    """Who wrote some lines, as far as these go."""
    return [
        replace(one, first=max(one.first, lines[0]), last=min(one.last, lines[1]))
        for one in blamed
        if one.first <= lines[1] and lines[0] <= one.last
    ]


def spanned(step: StoryStep, wrote: Sequence[Blamed], lines: Span) -> StoryStep:
    """A step with those of the lines that it wrote."""
    return replace(step, spans=tuple((one.first, one.last) for one in within(wrote, lines) if one.sha == step.sha))


def _linked(state: RepoState, commit: Commit, step: StoryStep, release: str) -> StoryStep:
    """A step with what stands behind it. Where the message names no request, the merge that brought it may."""
    merge = None if commit.pull_request else git.merged_by(state, commit.sha)
    return replace(step, links=links_of(state.remote, commit, merge, release))


def _fitting(commit: Commit, fit: Callable[[str], str]) -> Commit:
    return replace(commit, subject=fit(commit.subject), body=fit(commit.body))
