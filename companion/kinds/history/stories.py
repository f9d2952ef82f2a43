"""A commit or a merged branch as a story: its title, what it tells, and the files it touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.kinds.history import noise
from companion.kinds.history.advisories import TITLE_CHARS, retitled, titled
from companion.kinds.history.asides import is_aside
from companion.kinds.history.branches import Branch
from companion.kinds.history.meaning import Meaning, adr_paths, judge, weigh
from companion.kinds.history.noise_words import VERSION
from companion.kinds.history.undoing import code_names, overtaken, undoings
from companion.kinds.prose import narrative, sentences, split_sentences, without_citations
from companion.records import ChangeStatus, Commit, FileChange

MEMBERS_TOLD = 8
"""Commits of a branch that its story names; the rest stay in its evidence."""

_MERGE_TITLE = re.compile(
    r"^(?:\[[^\]]*\]\s*)?(?:(?:auto[- ]?|rollup )?merged?\b(?! in \S+ \()|merged in \S+ \(pull request #)",
    re.IGNORECASE,
)
_REQUEST_TAIL = re.compile(
    r"(?:(?:(?<!\s)\s++)?\((?:#|GH-)\d+\)\.?"
    r"|(?<=\w)(?:[.\s,;:–—-]++(?:[\w.-]{1,39}/[\w.-]{1,100})?)?#\d{2,}\.?)+\s*$"
)
_BRANCH_LINE = re.compile(r"^- [\w-]+(?:/[\w-]+)+: (?=[A-Z`])")
"""The branch before a line of a merge's summary: `- anna/fix-props: Add getters`."""
_BRANCH_TAG = re.compile(
    r"^\s*(?:\d{2,6}\s+(?=(?:fix|add|remov|allow|support|make|use)\w*\s)|\[\d+[\w.]*\]:?|\[?#\d+\]?\s*[-:]?|(?:fix"
    r"|feature)/)\s*(?=\S)",
    re.IGNORECASE,
)
_BACKPORT = re.compile(r"^\s*(?:\[[^\]]*(?:backport|cherry|\d\.\d|\d\.x)[^\]]*\]\s*)+(?=\S)", re.IGNORECASE)
"""What a robot writes before a title that it brings to another line: `[PR #12/f00ba47 backport][3.11]`."""
_PART_TAIL = re.compile(r"(?:(?<!\s)\s++)?\((?:#\d+\s+)?\d+/\d+\)\W*$")
"""Which one of several a change is: `(#12 1/3)`."""
_ANSWERS = re.compile(
    r"(?:\s*[,;.–—-]\s*|\s+[–—-]\s+)(?:(?:and |this |it )?(?:fix(?:e[sd]|ing)?|clos(?:e[sd]?|ing)"
    r"|resolv(?:e[sd]?|ing)|implements?|refs?"
    r"|merges?"
    r"|see|address(?:es)?"
    r"|re)|(?:thanks|thx|kudos|credits?)\b[^.]*)\W*$"
    r"|[,;]?\s+(?:and |this |it )?(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?) (?:gh|issues?|bugs?|tickets?)\W*$"
    r"|(?<=[)\d])[,;]?\s+(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\W*$"
    r"|[,;.\s]+(?:\(|also |and )*see(?: also)?\W*$"
    r"|,?\s+\(?(?:in the wake of|introduced (?:in|by|with)|broken (?:in|by)|from|since|by|as of|of|in|see)\s+"
    r"(?=[a-f]*\d)[0-9a-f]{7,40}\)?\W*$"
    r"|^(?:continue[sd]?|resolve[sd]?|close[sd]?|implement(?:s"
    r"|ed)?(?: and document\w*)?)\s+(?:issue )?#\d+\s*[:–—-]\s*",
    re.IGNORECASE,
)
"""What is left in a title of the number that it answers, and thanks: `…, fixes`."""
_REVERTED_TITLE = re.compile(r"^(?:partial(?:ly)? )?revert\w* \"", re.IGNORECASE)
_LEAD = re.compile(r"^(?:[-*+•:]\s+|[,;.]\s*)+")
"""A bullet before a title, or what a citation taken from its beginning left."""
_ADDRESS_TAIL = re.compile(r"(?<![\s,;:(-])[\s,;:(-]++https?://\S+\)?$")
_VERSION_TAIL = re.compile(
    rf"[.,;]\s+(?:[\w/@-]+@)?{VERSION}\.?$|[;,]\s*(?:and )?(?:updat|add|fix|adjust)\w* (?:the )?"
    r"(?:snapshots?|tests?|docs?|changelog|types?)\W*$",
    re.IGNORECASE,
)
"""A release or a chore after what a title tells."""
_CHORE_TAIL = re.compile(
    r"(?<=\w)\W*(?:[;,&+]|\band\b)\s*(?:(?:some|misc|minor|more|unit|add\w*|updat\w*|fix\w*|other|code|small"
    r"|a few)\W+)*"
    r"(?:refactor\w*|clean(?:ed|ing)?(?: |-)?ups?(?: \S+)?|tests?(?: cases?)?|docs?|changelog|formatting|typos?)\W*$",
    re.IGNORECASE,
)
"""Housekeeping that a title names besides: `…; misc refactoring`."""
_CREDIT_TAIL = re.compile(
    r"(?:(?<!\s)\s++)?[\[(](?:thanks?|thx|reported|suggested|requested|found|spotted|patch|contributed|by|close[sd]?|fix(?:e[sd])?"
    r"|resolve[sd]?|re|refs?)\b[^\])]{0,60}[\])]\W*$|(?:(?<!\s)\s++)?\[#\d+[^\]]{0,40}\]\W*$",
    re.IGNORECASE,
)
"""Who is thanked, or which ticket is set to what, behind a title: `[reported by Anna]`, `[#43 state:resolved]`."""
_UNFINISHED = re.compile(r"^(?:\[(?:wip|rfc|poc|draft)\]|(?:wip|rfc):)\s*", re.IGNORECASE)
"""What a title said of itself before it was merged."""
_FACE = (
    r"(?:[\u2600-\u27bf\ufe0f\u200d\U0001f000-\U0001faff]++|:[a-z][a-z0-9_+-]{2,30}:|[:;]-?[()DP]|-[._]+-|\^_*\^|\\o/)"
)
_FACES = re.compile(rf"^(?:{_FACE}\s*+)++(?=\S)|(?:(?<=\s){_FACE}\s*+)++$")
"""Pictures and faces before and behind a title: its author's mood, or the sign of a sort of change."""
TITLE_WORDS_LEAST = 3
"""Words of a title before which nothing is taken from its end."""
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
_TERSE = re.compile(
    r"^- (?:[\w.]+(?:\([^)]*\))?: )?(?:reinstate|restore|put|use|used|avoid using|set|change the|collapse|break|access"
    r"|move|moved"
    r"|adjust|make sure|resolve conflicts?|cleanup|delete|undo|back|still|forgot\w*|silence|satisfy|appease|pacify"
    r"|please"
    r"|review|wip|temp\w*|debug\w*)\b",
    re.IGNORECASE,
)
"""How a line begins that is a step of the work as long as no second sentence gives it a reason."""
_CONDITION = re.compile(
    r"\b(?:when(?:ever)?|if|unless|before|after|until|while|without|instead|rather|so|because|since|otherwise|except"
    r"|no longer|not|never|always|only|even|avoid\w*|prevent\w*|in favou?r|due|causes?|caused|by default)\b|n['’]t\b",
    re.IGNORECASE,
)
"""What a line says that tells how the result behaves: a step of the work names what was done to the code."""
_CHORE = re.compile(
    r"\b(?:tests?|testing|specs?|docs?|documentation|lint\w*|ci|coverage|readme|typos?|mypy|changelog|comments?|todo"
    r"|nits?"
    r"|prettier|eslint|build|revert\w*|\w+\.md|pyright|travis|appveyor|workflows?|\S+\.ya?ml|noxfile|tox|go-version"
    r"|vet|warnings?|jobs?|typing|typed|type (?:hints?|check\w*|annotations?)|annotations?|flake8|black|imports?"
    r"|as before"
    r"|accidental\w*|by (?:mistake|accident)|minimum version|no longer needed|whitespace|spelling|cspell|rustfmt|clippy"
    r"|gofmt|rubocop|code style|cyclomatic)\b",
    re.IGNORECASE,
)
"""What a step of a squashed list is about that the result does not show."""
BULLETS_TOLD = 4
"""Lines told of a squashed list, the first ones: its title tells the rest."""
BULLET_WORDS = 4
"""Telling words of a squashed line that its title has not said, from which it tells more than the title."""
LISTED = 3
"""Bullets from which a body is a squashed list: fewer are points of an explanation."""
REMARK_WORDS = 4
"""Words of a paragraph below which it is a remark to somebody: `Bp fix`."""
ASIDE_WORDS = 12
"""Words of a paragraph up to which it can be the subject of another commit, brought along."""
NEARLY = 0.7
"""Share of a line's telling words that the title has said, from which the line repeats it."""
_ROBOT_TAG = re.compile(r"(?:(?<!\s)\s++)?\[(?:ci skip|skip ci|no ci|skip actions)\]", re.IGNORECASE)
_CUT_END = re.compile(r"(?<!\s)\s++(?:to|of|the|a|an|and|as|with|from|for|by|in)$")
"""Words that announce what a title no longer has."""
_CUT_OFF = re.compile(
    r"(?:,|(?:^|\s)[-–—]\s*see|\b(?:or|and|but|to|of|the|a|an|with|from|for|as|that|because|if|when))$", re.IGNORECASE
)
"""How a sentence ends whose rest was an address, a block of code or a quote."""
_ELLIPSIS = ("…", "...")
_REVERTS_LINE = re.compile(
    r"This reverts commits? [0-9a-f]{7,40}[^.\n]*\.?|^\s*(?:reversing )?changes made to [0-9a-f]{7,40}\.?",
    re.IGNORECASE | re.MULTILINE,
)


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
    whole = retitled(commit)
    meaning = weigh(whole)
    if not meaning.told:
        return None
    prose = narrative(_REVERTS_LINE.sub("", commit.body)) if commit.reverts else meaning.story
    title, story = _title_and_story(whole.subject, prose, squashed=_squashed(whole, prose))
    if meaning.change == "revert":
        story = prose
    return Happening(commit, title, story, meaning, commit.changes)


def _squashed(commit: Commit, story: str) -> bool:
    """Whether a body is the list of the commits that a request became one of."""
    return (bool(commit.pull_request) or noise.security(commit.subject)) and story.startswith("- ")


Stands = Callable[[str, Sequence[str]], bool]
"""Whether a name of code is still to be found, in the code or in the files at some paths."""


def of_branch(branch: Branch, stands: Stands = lambda name, paths: True) -> Happening | None:
    """A merged branch, if its title or any of its commits is worth telling: where it ended, not how it came there.

    A commit is not told that brought a name which stands nowhere, nor one whose work a later commit of the branch
    gave up; one that took something away is.
    """
    merge = branch.merge
    weighed = [(member, weigh(member)) for member in map(retitled, branch.members) if not member.is_merge]
    told = [(member, meaning) for member, meaning in weighed if not noise.noise_subject(member.subject)]
    told = [(member, meaning) for member, meaning in told if meaning.points > 0]
    lasting = [pair for pair in told if _lasted(pair[0], branch, stands)]
    title, story = _branch_title(merge, lasting)
    changes = _united([member.changes for member, _ in weighed])
    said = (f"{member.subject}\n{member.body}" for member in branch.members[:MEMBERS_TOLD])
    title = titled(title, replace(merge, changes=changes, body="\n".join((merge.body, *said))))
    if not title or noise.noise_subject(title):
        return None
    best = max((meaning.points for _, meaning in told), default=0.0)
    asked = merge.pull_request or ("asked" if _MERGE_TITLE.match(merge.subject) else "")
    own = judge(title, story, changes, pull_request=asked, body=merge.body)
    if noise.only_quiet_paths(change.path for change in changes) and not adr_paths([c.path for c in changes]):
        return None
    importance = max([own.importance, *(meaning.importance for _, meaning in told)])
    change = own.change or next((meaning.change for _, meaning in told if meaning.change), "")
    full_story = _with_members(title, story, lasting)
    meaning = Meaning(max(own.points, best), change, importance, full_story)
    if not meaning.told:
        return None
    return Happening(merge, title, full_story, meaning, changes, branch.members)


def _lasted(member: Commit, branch: Branch, stands: Stands) -> bool:
    """Whether what a commit of a branch says is part of where the branch ended."""
    after = branch.members[[other.sha for other in branch.members].index(member.sha) + 1 :]
    if any(other.reverts and member.sha.startswith(other.reverts) for other in after):
        return False
    taken = [undoing for undoing in undoings(member.subject) if not undoing.back]
    request = f"{branch.merge.subject}\n{branch.merge.body}"
    names = [name for name in code_names(member.subject) if name not in request]
    paths = [change.path for change in member.changes]
    if any(not stands(name, paths) for name in names if not any(one.speaks_of(name) for one in taken)):
        return False
    if taken:
        return True
    said = [text for other in after for text in (other.subject, *sentences(narrative(other.body)))]
    return not overtaken(member.subject, [*said, *sentences(narrative(branch.merge.body))])


def _branch_title(merge: Commit, told: Sequence[tuple[Commit, Meaning]]) -> tuple[str, str]:
    """What a merge is about: its own words, the request's title below them, or its last best commit's."""
    story = narrative(merge.body)
    if not _MERGE_TITLE.match(merge.subject):
        return _title_and_story(merge.subject, story)
    lines = story.split("\n") if story else []
    if lines and not noise.noise_subject(lines[0]) and len(lines[0]) <= TITLE_CHARS and not lines[0].startswith("- "):
        first, *more = split_sentences(lines[0])
        if not told or len(noise.telling_words(first)) > 1:
            return _title_and_story(first, "\n".join((" ".join(more), *lines[1:])).strip())
    if told:
        best = max(reversed(told), key=lambda pair: pair[1].points)[0]
        return _title_and_story(best.subject, story)
    return "", ""


def _title_and_story(subject: str, story: str, *, squashed: bool = False) -> tuple[str, str]:
    """A subject without the request's number, joined with its continuation where it was cut."""
    subject, _, below = _FACES.sub("", _BACKPORT.sub("", noise.without_number(subject))).partition("\\n")
    if below:
        story = "\n".join(line for line in (*below.split("\\n"), story) if line.strip())
    title = (
        without_citations(_BRANCH_TAG.sub("", _REQUEST_TAIL.sub("", _LEAD.sub("", subject.strip())))) or subject.strip()
    )
    title = _LEAD.sub("", _VERSION_TAIL.sub("", _ADDRESS_TAIL.sub("", title))) or title
    title = _PART_TAIL.sub("", _ANSWERS.sub("", title)) or title
    title = _UNFINISHED.sub("", _CREDIT_TAIL.sub("", _REQUEST_TAIL.sub("", title))).rstrip(" :") or title
    if title.endswith(_ELLIPSIS) and story.startswith(_ELLIPSIS):
        first, _, rest = story.partition("\n")
        head, *more = split_sentences(first.lstrip("….").strip()) or [""]
        return f"{title.rstrip('….')}{head}", "\n".join((" ".join(more), rest)).strip()
    if _REVERTED_TITLE.match(title) and title.count('"') % 2:
        title = f'{title.rstrip(" .")}"'
    if title.endswith(_ELLIPSIS) and story.startswith(title.rstrip("….")):
        title, *more = split_sentences(story.partition("\n")[0]) or [title]
        title, story = title.rstrip("."), "\n".join((" ".join(more), story.partition("\n")[2])).strip()
    shorter = _CHORE_TAIL.sub("", title)
    title = shorter if len(shorter.split()) >= TITLE_WORDS_LEAST else title
    title = _without_chatter(_ROBOT_TAG.sub("", title).strip() or title)
    return title, _without_chores(title, story, squashed=squashed)


def _without_chatter(title: str) -> str:
    """A title of several sentences without those that are housekeeping or talk, and without a cut end."""
    parts = [title] if _REVERTED_TITLE.match(title) else split_sentences(title)
    kept = [part for part in parts if not is_aside(part) and not noise.noise_subject(part)]
    if len(parts) > 1 and kept:
        title = " ".join(kept)
    return _CUT_END.sub("", title.rstrip("{([" + " ")) or title


def _without_chores(title: str, story: str, *, squashed: bool = False) -> str:
    """A story without the lines that repeat the title, and without a squashed list's housekeeping.

    `squashed` says that the lines of a list are titles of commits that became one: steps of the work,
    of which only those that explain something are told.
    """
    if not story:
        return ""
    said = set(noise.telling_words(title))
    lines: list[str] = []
    told = 0
    every = story.split("\n")
    listed = squashed or sum(1 for line in every if line.startswith("- ")) >= LISTED
    for whole in every:
        raw = _BRANCH_LINE.sub("- ", whole)
        bullet = raw.startswith("- ")
        line = " ".join(s for s in split_sentences(raw) if not is_aside(s))
        words = noise.telling_words(line[2:] if bullet else line)
        new = [word for word in words if word not in said]
        if not line or not new or line in lines or (bullet and len(new) <= (1 - NEARLY) * len(words)):
            continue
        if not bullet and _remark(line):
            continue
        if bullet and listed:
            if told >= BULLETS_TOLD or not _explains(line, new, squashed=squashed):
                continue
            told += 1
        elif bullet and (noise.noise_subject(line[2:]) or _STEP.match(line)):
            continue
        lines.append(line)
        said.update(new if bullet else ())
    return "\n".join(_finished(lines))


def _remark(line: str) -> bool:
    """Whether a paragraph is a few words to somebody, or one sentence of housekeeping."""
    words = len(line.split())
    if words < REMARK_WORDS:
        return True
    return words <= ASIDE_WORDS and len(split_sentences(line)) == 1 and noise.noise_subject(line)


def _explains(line: str, new: Sequence[str], *, squashed: bool) -> bool:
    """Whether a line of a list tells more than a step of the work; `new` are the words its title has not said."""
    if noise.noise_subject(line[2:]) or _STEP.match(line) or len(set(new)) < BULLET_WORDS:
        return False
    if squashed and len(split_sentences(line)) > 1:
        return True
    if _CHORE.search(line):
        return False
    return not squashed or (_TERSE.match(line) is None and _CONDITION.search(line) is not None)


def _finished(lines: Sequence[str]) -> Iterator[str]:
    """Lines without an end that announces or continues with something that was left out."""
    for i, line in enumerate(lines):
        below = lines[i + 1] if i + 1 < len(lines) else ""
        parts = split_sentences(line)
        if parts and (_CUT_OFF.search(parts[-1]) or (parts[-1].endswith(":") and not below.startswith("- "))):
            parts.pop()
        if parts and parts != ["-"]:
            yield " ".join(parts)


def _with_members(title: str, story: str, told: Sequence[tuple[Commit, Meaning]]) -> str:
    """The story of a branch: its own words, then a line for each commit that adds to them."""
    lines = [story] if story else []
    said = {plain_title(title)}
    heads = set(noise.telling_words(title))
    for member, meaning in told[: 4 * MEMBERS_TOLD]:
        subject, body = _title_and_story(member.subject, meaning.story, squashed=True)
        plain = plain_title(subject)
        if len(said) > MEMBERS_TOLD:
            break
        first = next(iter(split_sentences(body.split("\n", 1)[0])), "") if body else ""
        words = noise.telling_words(subject)
        new = sum(1 for word in words if word not in heads)
        bullet = f"- {subject}"
        if _STEP.match(bullet) or (not first and not _explains(bullet, words, squashed=True)):
            continue
        if plain not in said and new > (1 - NEARLY) * len(words):
            subject = subject.rstrip(".")
            joint = " " if first[:1].islower() else ". "  # a subject that goes on below
            lines.append(f"- {subject}{joint}{first}" if first else f"- {subject}")
        elif first and not story:
            lines.append(body)
        said.add(plain)
    if len(told) == len(lines) == 1 and not story:
        return lines[0].removeprefix("- ")  # the whole branch, not one line of several
    return "\n".join(lines)


def plain_title(text: str) -> str:
    """A title for comparing: bare, lower case, single spaces."""
    return " ".join(noise.bare_subject(text).text.lower().rstrip(".").split())


def _united(many: Sequence[tuple[FileChange, ...]]) -> tuple[FileChange, ...]:
    """The last change of each file, without those that came and went in between."""
    first: dict[str, FileChange] = {}
    last: dict[str, FileChange] = {}
    for change in (change for changes in many for change in changes):
        first.setdefault(change.path, change)
        last[change.path] = change
    gone = {
        path for path in last if (first[path].status, last[path].status) == (ChangeStatus.ADDED, ChangeStatus.DELETED)
    }
    return tuple(last[path] for path in sorted(last.keys() - gone))
