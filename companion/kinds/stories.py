"""A commit or a merged branch as a story: its title, what it tells, and the files it touched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.kinds import noise
from companion.kinds.branches import Branch
from companion.kinds.meaning import Meaning, adr_paths, judge, weigh
from companion.kinds.noise_words import VERSION
from companion.kinds.prose import narrative, split_sentences, without_citations
from companion.records import Commit, FileChange, Importance

MEMBERS_TOLD = 8
"""Commits of a branch that its story names; the rest stay in its evidence."""
TITLE_CHARS = 200
"""Characters up to which a line below a merge can be its request's title."""

_MERGE_TITLE = re.compile(r"^(?:\[[^\]]*\]\s*)?(?:auto[- ]?|rollup )?merge\b", re.IGNORECASE)
_FORK = re.compile(r"^merge commit from fork$", re.IGNORECASE)
_REQUEST_TAIL = re.compile(r"\s*\((?:#|GH-)\d+\)\s*$")
_BRANCH_TAG = re.compile(r"^\s*(?:\[\d+[\w.]*\]:?|#\d+\s*[-:])\s*")
_LEAD = re.compile(r"^(?:[-*+•:]\s+|[,;.]\s*)+")
"""A bullet before a title, or what a citation taken from its beginning left."""
_VERSION_TAIL = re.compile(rf"[.,;]\s+{VERSION}\.?$", re.IGNORECASE)
_ASIDE = re.compile(
    r"^(?:- )?(?:i|i['’](?:m|ve|d|ll)|my|we['’]ll|oops|ups|hmm+|tho|though|ok|okay|oh|yeah|please|thanks?|sorry|btw|lol"
    r"|todo|fixme|let me|not sure|talk is cheap|feedbacks?)\b|\?\W*$|\bfail(?:s|ing)? (?:the )?tests?\b",
    re.IGNORECASE,
)
"""A sentence that speaks of its author or to a reviewer, not of the code."""
_STEP = re.compile(
    r"^- (?:\w+(?:\([^)]*\))?: )?(?:oops|more|"
    r"even more|also|actually|again|try|trying|attempt\w*|start\w*|initial|first"
    r"|another|final|finish\w*|tidy|clean\w*|lint\w*|fix ?lint|format\w*|reformat|apply|pin|unpin|bump|update|updated"
    r"|rename|rebase|merge\w*|address|tweak\w*|polish|missing|remove (?:dep|unneeded|unused|docs?|changes?)|simplif\w*"
    r"|variable|refactor\w*|pragma|chang?e?lo?g?|chanelog|revert|add (?:docs?|tests?|type ignore|pragma|comments?)|pr #"
    r"|(?:docs?|tests?|chore|ci|style|build|lint|refactor|revert|nit)\b(?:\([^)]*\))?:|possible|trim)\b",
    re.IGNORECASE,
)
"""How a line of a squashed list begins that tells a step of the work, not a part of the result."""
_CHORE = re.compile(
    r"\b(?:tests?|testing|specs?|docs?|documentation|lint\w*|ci|coverage|readme|typos?|mypy|changelog|comments?|todo|nits?"
    r"|prettier|eslint|build|revert\w*|\w+\.md)\b",
    re.IGNORECASE,
)
"""What a step of a squashed list is about that the result does not show."""
BULLETS_TOLD = 4
"""Lines told of a squashed list, the first ones: its title tells the rest."""
BULLET_WORDS = 4
"""Telling words of a squashed line that its title has not said, from which it tells more than the title."""
LISTED = 3
"""Bullets from which a body is a squashed list: fewer are points of an explanation."""
NEARLY = 0.7
"""Share of a line's telling words that the title has said, from which the line repeats it."""
_ELLIPSIS = ("…", "...")
_REVERTS_LINE = re.compile(r"This reverts commits? [0-9a-f]{7,40}[^.\n]*\.?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Happening:
    """A commit or a branch that is worth telling, before it becomes a draft."""

    commit: Commit
    title: str
    story: str
    meaning: Meaning
    changes: tuple[FileChange, ...]
    members: tuple[Commit, ...] = ()


def of_commit(commit: Commit) -> Happening | None:
    """A single commit, if it is worth telling."""
    meaning = weigh(commit)
    if not meaning.told:
        return None
    title, story = _title_and_story(commit.subject, meaning.story)
    if commit.reverts:
        story = narrative(_REVERTS_LINE.sub("", commit.body))
    return Happening(commit, title, story, meaning, commit.changes)


def of_branch(branch: Branch) -> Happening | None:
    """A merged branch, if its title or any of its commits is worth telling."""
    merge = branch.merge
    weighed = [(member, weigh(member)) for member in branch.members if not member.is_merge]
    told = [(member, meaning) for member, meaning in weighed if not noise.noise_subject(member.subject)]
    told = [(member, meaning) for member, meaning in told if meaning.points > 0]
    title, story = _branch_title(merge, told)
    if not title or (noise.noise_subject(title) and not _FORK.match(merge.subject)):
        return None
    changes = _united([member.changes for member, _ in weighed])
    best = max((meaning.points for _, meaning in told), default=0.0)
    own = judge(title, story, changes, pull_request=merge.pull_request, body=merge.body)
    if noise.only_quiet_paths(change.path for change in changes) and not adr_paths([c.path for c in changes]):
        return None
    security = bool(_FORK.match(merge.subject)) or noise.security(merge.body)
    points = max(own.points, best if told else 0.0) + (3.0 if security else 0.0)
    importance = max([own.importance, *(meaning.importance for _, meaning in told)])
    if security:
        importance = Importance.SIGNIFICANT
    change = own.change or next((meaning.change for _, meaning in told if meaning.change), "")
    full_story = _with_members(title, story, [(m, meaning) for m, meaning in told])
    meaning = Meaning(points, change, importance, full_story)
    if not meaning.told:
        return None
    return Happening(merge, title, full_story, meaning, changes, branch.members)


def _branch_title(merge: Commit, told: Sequence[tuple[Commit, Meaning]]) -> tuple[str, str]:
    """What a merge is about: its own words, the request's title below them, or its best commit's."""
    story = narrative(merge.body)
    if not _MERGE_TITLE.match(merge.subject):
        return _title_and_story(merge.subject, story)
    lines = story.split("\n") if story else []
    if lines and not noise.noise_subject(lines[0]) and len(lines[0]) <= TITLE_CHARS and not lines[0].startswith("- "):
        first, *more = split_sentences(lines[0])
        if not told or len(noise.telling_words(first)) > 1:
            return _title_and_story(first, "\n".join((" ".join(more), *lines[1:])).strip())
    if told:
        best = max(told, key=lambda pair: (pair[1].points, pair[0].sha))[0]
        return _title_and_story(best.subject, story)
    return "", ""


def _title_and_story(subject: str, story: str) -> tuple[str, str]:
    """A subject without the request's number, joined with its continuation where it was cut."""
    title = (
        without_citations(_BRANCH_TAG.sub("", _REQUEST_TAIL.sub("", _LEAD.sub("", subject.strip())))) or subject.strip()
    )
    title = _LEAD.sub("", _VERSION_TAIL.sub("", title)) or title
    if title.endswith(_ELLIPSIS) and story.startswith(_ELLIPSIS):
        first, _, rest = story.partition("\n")
        head, *more = split_sentences(first.lstrip("….").strip())
        return f"{title.rstrip('….')}{head}", "\n".join((" ".join(more), rest)).strip()
    return title, _without_chores(title, story)


def _without_chores(title: str, story: str) -> str:
    """A story without the lines that repeat the title, and without a squashed list's housekeeping."""
    if not story:
        return ""
    said = set(noise.telling_words(title))
    lines: list[str] = []
    told = 0
    every = story.split("\n")
    listed = sum(1 for line in every if line.startswith("- ")) >= LISTED
    for raw in every:
        bullet = raw.startswith("- ")
        line = " ".join(s for s in split_sentences(raw) if not _ASIDE.search(s))
        words = noise.telling_words(line[2:] if bullet else line)
        new = [word for word in words if word not in said]
        if not line or not new or (bullet and len(new) <= (1 - NEARLY) * len(words)):
            continue
        if bullet and (noise.noise_subject(line[2:]) or _STEP.match(line)):
            continue
        if bullet and listed:
            told += 1
            if len(set(new)) < BULLET_WORDS or _CHORE.search(line) or told > BULLETS_TOLD:
                told -= 1
                continue
        lines.append(line)
        said.update(new if bullet else ())
    return "\n".join(_finished(lines))


def _finished(lines: Sequence[str]) -> Iterator[str]:
    """Lines without an end that announces or continues with something that was left out."""
    for i, line in enumerate(lines):
        below = lines[i + 1] if i + 1 < len(lines) else ""
        parts = split_sentences(line)
        if parts and (parts[-1].endswith(",") or (parts[-1].endswith(":") and not below.startswith("- "))):
            parts.pop()
        if parts and parts != ["-"]:
            yield " ".join(parts)


def _with_members(title: str, story: str, told: Sequence[tuple[Commit, Meaning]]) -> str:
    """The story of a branch: its own words, then a line for each commit that adds to them."""
    lines = [story] if story else []
    said = {plain_title(title)}
    heads = set(noise.telling_words(title))
    for member, meaning in told[: 4 * MEMBERS_TOLD]:
        subject, body = _title_and_story(member.subject, meaning.story)
        plain = plain_title(subject)
        if len(said) > MEMBERS_TOLD:
            break
        first = next(iter(split_sentences(body.split("\n", 1)[0])), "") if body else ""
        words = noise.telling_words(subject)
        new = sum(1 for word in words if word not in heads)
        if _STEP.match(f"- {subject}") or (not first and new < BULLET_WORDS - 1):
            continue
        if plain not in said and new > (1 - NEARLY) * len(words):
            lines.append(f"- {subject}. {first}".strip() if first else f"- {subject}")
        elif first and not story:
            lines.append(body)
        said.add(plain)
    return "\n".join(lines)


def plain_title(text: str) -> str:
    """A title for comparing: bare, lower case, single spaces."""
    return " ".join(noise.bare_subject(text).text.lower().rstrip(".").split())


def _united(many: Sequence[tuple[FileChange, ...]]) -> tuple[FileChange, ...]:
    seen: dict[str, FileChange] = {}
    for changes in many:
        for change in changes:
            seen[change.path] = change
    return tuple(seen[path] for path in sorted(seen))
