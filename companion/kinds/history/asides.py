"""Sentences of a message that speak of its author, to a reviewer, or of housekeeping, and not of the code."""

from __future__ import annotations

import re

_TALK = r"""
i|i['’](?:m|ve|d|ll)|my|we['’]ll|w?h?oops|ups|hmm+|tho|though|ok|okay|oh|yeah|please|thanks?|sorry|btw|lol|todo
|fixme|tests will follow|will need to wait|this test|went with|figured|feels like|let me
|talk is cheap|feedbacks?|git issue|in theory|no idea|hopefully|here (?:is|are)
|still a? ?wip|proposal here
|found it once|also,? bump|lines? \d+|(?:requested|reported|suggested) by|in the (?:above|following) example
|needs? (?:an? |more |some )?(?:tests?|docs?|documentation)|test ?cases? (?:taken|from|by)
|this (?:commit|pr|patch|change) (?:also )?(?:includes|contains)
"""
"""How a sentence begins that is talk."""
_HOUSEKEEPING = r"""
add(?:s|ed|ing)? (?:\w+ ){0,3}tests?(?: ?cases?)? (?:for|to|that|cover)
|(?:also )?(?:add|fix|updat|includ)\w* (?:\S+ ){0,4}tests?\b
|(?:re-?)?enable\w* (?:\w+ ){0,2}tests?\b
|(?:add(?:s|ed)?|update[sd]?|wrote|write) (?:\w+ ){0,2}
(?:tests?|test ?cases?|docs?|documentation|\S+\.md|\S+\.rst|changelog|benchmarks?)\W*$
|(?:this is )?(?:the |a )?(?:much )?(?:better|nicer|cleaner)\b.{0,30}$
|works\W*$|as suggested\b|the merge\b|:[a-z_]+: |\$ |go test\b|(?:npm|yarn|pip|python -m)\s
"""
"""How a sentence begins that tells of tests, documents or commands of the day."""
_ANYWHERE = r"""
\?\W*$|\byet\W*$|\s[:;]-?[)D](?:\W|$)|\bWIP\b|\bPRs\b|\bcoverage\b|\btest files?\b|\bmerge conflicts?\b
|\bfail(?:s|ing)? (?:the )?tests?\b|\b(?:breaking|broken|fail\w*) for me\b|\bplay(?:ed|ing) with\b
|\btests? (?:were|was|have|has|are|is)? ?(?:also )?(?:been )?(?:added|updated|changed|adapted)\b
|\b(?:docs?|documentation|readme\S*|changelog)\b.{0,30}\b(?:is|are|was|were) (?:also )?(?:updated|added|adapted)\b
|\btests? .{0,40}\b(?:included|as usual)\b|\bstill needs?\b|\bold .{0,20}comments?\b|\bgithub issue\b
|\b(?:this|that|the) (?:branch|pr|pull request)\b|\b(?:other|later|previous|earlier|following) commits?\b
|\bthe above (?:pattern|example|code|output|table|numbers?|snippet)\b|\bmatter of taste\b
|\bopen to suggestions\b|\blooks like my\b|\bcopy-paste error\b|\bwasn['’]t (?:actually )?look\w*\b
|\bcredits? (?:goes|go|to|for)\b|\bthanks? (?:to )?@|\b(?:input|feedback|review|comments?|help) (?:from|by|of) @\w
|\b(?:implemented|written|suggested|proposed|contributed|found) by @\w|\bmy comments?\b|\bpointed me\b
|\bbased on (?:the )?(?:feedback|reviews?|comments?|conversation)\b
|\bmy (?:team|own|code\w*|project|app\w*|machine|use[- ]case)\b
|\bnot (?:completely |entirely |really |quite |totally )?sure\b
|\bi(?:['’]ve| have| had| was| am|['’]m)\b
|\bi (?:figured|think|reali[sz]e|believe|guess|hope|suppose|feel|assume|don['’]?t|would|needed|wanted|tried|noticed
|wonder|prefer|could\w*|can(?:not|['’]t)?|know|like)\b
"""
"""What gives a sentence away wherever it stands in it."""


def _joined(pattern: str) -> str:
    return "".join(pattern.strip("\n").split("\n"))


_ASIDE = re.compile(
    rf"^(?:- )?(?:(?:{_joined(_TALK)})\b|{_joined(_HOUSEKEEPING)})|{_joined(_ANYWHERE)}",
    re.IGNORECASE,
)


def is_aside(sentence: str) -> bool:
    """Whether a sentence tells of its author, of a reviewer or of housekeeping, so that nobody wants it remembered."""
    return _ASIDE.search(sentence) is not None
