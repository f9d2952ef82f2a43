"""Blockers: what stands in the way, and of what."""

from __future__ import annotations

import re

from companion.language.form import Form
from companion.language.phrases import LEAD
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, telling, tidy

_BE = r"(?:'s|'re|'m| is| are| am| was| were| remains?| got| gets)"
_PATTERNS = tuple(
    (Form(rf"^{LEAD}{pattern}", re.IGNORECASE), confidence)
    for pattern, confidence in (
        (
            rf"(?P<blocks>\S.{{0,100}}?){_BE}(?: still| currently| now| completely| fully| totally| all"
            r"| again)* (?:blocked|stuck|held up|on hold|stalled|gated) (?:by|on|until|till|because(?: of)?"
            r"|since|as long as|due to|behind|waiting (?:for|on)) (?P<what>.+)",
            0.9,
        ),
        (
            r"(?:still |currently |totally |completely )*(?:blocked|stuck|stalled) (?:by|on|until"
            r"|because(?: of)?|due to) (?P<what>.+)",
            0.85,
        ),
        (
            rf"(?P<what>\S.{{1,100}}?)(?:{_BE}| keeps?)(?: still| currently| now| completely)* (?:blocking"
            r"|holding up|holding back|holding(?= (?:us|me|everything) (?:up|back))"
            r"|delaying) (?P<blocks>(?!the (?:event loop|main thread|thread|ui|loop|io|i/o)|io\b|i/o|calls?\b"
            r"|on\b|for\b).+)",
            0.9,
        ),
        (
            r"(?P<what>\S.{1,100}?) (?:blocks|holds up|holds back) (?P<blocks>(?!the (?:event loop|main thread"
            r"|thread|ui|loop|io|i/o|caller|request|process|reader|writer)|io\b|i/o|on\b|until\b|for\b"
            r"|while\b).+)",
            0.85,
        ),
        (
            rf"(?P<what>\S.{{1,100}}?){_BE}(?: still| now| really)* (?:a|the|our|my|another|the only|the main"
            r"|the biggest|a hard|a real)?\s*(?:main |biggest |only |last |hard )?(?:blocker|show-?stopper"
            r"|release blocker)(?: (?:for|to|of|on) (?P<blocks>.+))?",
            0.9,
        ),
        (
            r"(?:the|our|my|another|one)?\s*(?:main |biggest |only |last |current )?(?:blocker"
            r"|show-?stopper)(?: (?:for|of) (?P<blocks>.+?))?(?: is|:| -)(?: that)? (?P<what>.+)",
            0.9,
        ),
        (
            r"(?:we|i|nobody|no one) (?:can'?t|cannot|can not|won'?t be able to|will not be able to"
            r"|can't even) (?P<blocks>(?!just|really|see|tell|remember|find|figure|reproduce|believe|wait"
            r"|understand|think|use|afford|have|keep|do that).{3,100}?) (?:until|till|before|without"
            r"|as long as) (?P<what>.+)",
            0.85,
        ),
        (
            r"(?P<blocks>\S.{2,80}?) (?:can'?t|cannot|won'?t) (?:go (?:out|live|ahead)|ship|merge|be (?:merged"
            r"|shipped|released|deployed|tested|started|published|finished|closed)|start|launch|happen|proceed"
            r"|continue|move(?: forward)?) (?:until|till|before|without) (?P<what>.+)",
            0.85,
        ),
        (
            r"(?P<what>\S.{3,100}?),? (?:so|and so|which means|that means) (?:we|i|nobody) (?:can'?t|cannot"
            r"|won'?t be able to) (?P<blocks>(?!really|see|tell|remember|find|figure|reproduce|use|afford|have"
            r"|do that).{3,100})",
            0.8,
        ),
        (
            r"without (?P<what>[^,]{3,80}?),? (?:we|i|nobody|the \w+) (?:can'?t|cannot|won'?t) (?P<blocks>.{3,100})",
            0.85,
        ),
        (r"(?P<blocks>(?:nothing|no \w+) can .{2,60}?) (?:until|before|without) (?P<what>.+)", 0.85),
        (
            r"(?P<blocks>\S.{2,80}?) (?:depends|hinges|relies) on (?P<what>.{3,100}?,? (?:which|that|and (?:it"
            r"|that))? ?.{0,20}(?:don'?t have|doesn'?t have|isn'?t|aren'?t|hasn'?t|haven'?t|is missing"
            r"|not yet).*)",
            0.8,
        ),
        (
            r"(?:(?:we|i|nobody) )?(?:can'?t|cannot) (?P<blocks>(?:test|deploy|release|continue|proceed|merge"
            r"|ship|start|finish|publish|build|launch|move|migrate|access|go live|demo|upgrade"
            r"|sign)\b[^,]{0,60}?)(?:,| because| since| as)+ (?P<what>(?!i\b|we\b).{3,100}? (?:is|are|isn'?t"
            r"|aren'?t|has|have|hasn'?t|haven'?t|doesn'?t|don'?t)\b.*)",
            0.8,
        ),
        (
            r"(?:(?:we|i|nobody) )?(?:can'?t|cannot) (?P<blocks>(?:test|deploy|release|continue|proceed|merge"
            r"|ship|publish|build|launch|demo)\b[^,]{0,60}?) because (?P<what>(?:i|we) (?:don'?t|do not"
            r"|haven'?t) have .+)",
            0.8,
        ),
        (
            r"(?:the |our )?(?:only|main|last|one) thing (?:stopping|blocking|holding (?:back|up)"
            r"|keeping) (?P<blocks>.{2,60}?)(?: (?:back|up))? is (?P<what>.+)",
            0.9,
        ),
        (r"(?P<blocks>\S.{2,60}?) (?:is|are) at risk (?:because(?: of)?|due to|since|as) (?P<what>.+)", 0.8),
        (
            r"what(?:'s| is) (?:blocking|stopping|holding (?:up"
            r"|back)) (?P<blocks>\w+(?: \w+){0,3}?) is (?P<what>.+)",
            0.9,
        ),
    )
)
_OWN_PART = re.compile(r",\s+(?:and|but|so)\s+|\b(?:because|since)\s+", re.IGNORECASE)
_FIXED = re.compile(
    r"(?<!\s)\s++(?:is|are|gets?|has been|have been|was)(?: \w+ed)? ?(?:fixed|merged|done|in|in place|ready|resolved"
    r"|approved|signed|released|deployed|available|back|up|finished|complete|renewed|green|sorted|updated"
    r"|landed)\s*$",
    re.IGNORECASE,
)
_ONLY_IT = re.compile(r"^\w+(?: \w+)? (?:it|that|this|them)$", re.IGNORECASE)
_CLEARED = re.compile(
    r"\b(?:no longer|not|isn't|aren't|wasn't|anymore|any more|unblocked|never|was blocked|were blocked"
    r"|got unblocked)\b",
    re.IGNORECASE,
)
_NOT_OURS = re.compile(
    r"^(?:it|that|this|which|what|the (?:call|thread|request|read|write|process|loop|function|socket|promise"
    r"|queue|goroutine|main thread|event loop))\b",
    re.IGNORECASE,
)


def blocker(clause: Clause) -> Found | None:
    """The blocker a clause of the user's names, None if it names none."""
    if clause.asked or clause.stance is not Stance.MEANT:
        return None
    if clause.label == "blocker":
        found = _matched(clause)
        return found or Found(ItemType.BLOCKER, tidy(clause.text), clause, 0.9)
    return None if clause.label else _matched(clause)


def _matched(clause: Clause) -> Found | None:
    for pattern, confidence in _PATTERNS:
        match = pattern.match(clause.masked)
        if match is None or _CLEARED.search(
            match.group()[: match.start("what") - match.start() if match.start("what") > 20 else 60]
        ):
            continue
        named = match.groupdict()
        blocks = _OWN_PART.split(_words(clause, match, "blocks"))[-1] if named.get("blocks") else ""
        what = tidy(_FIXED.sub("", _words(clause, match, "what")))
        if (_NOT_OURS.match(what) and not blocks) or not telling(what):
            continue
        if blocks and re.match(
            r"(?:the (?:call|thread|request|read|write|process|loop|function|socket|promise|goroutine"
            r"|main thread|event loop))\b",
            blocks,
            re.IGNORECASE,
        ):
            continue
        return Found(ItemType.BLOCKER, what, clause, confidence).with_details(
            blocks=blocks if telling(blocks) and not _ONLY_IT.match(blocks) else ""
        )
    return None


def _words(clause: Clause, match: re.Match[str], name: str) -> str:
    return tidy(clause.text[match.start(name) : match.end(name)])
