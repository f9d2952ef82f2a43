"""What the user waits for, from whom, and since when; what somebody else promised them counts too."""

from __future__ import annotations

import re

from companion.language.dates import due, since
from companion.language.form import Form
from companion.language.names import NOT_A_PERSON, is_someone
from companion.language.phrases import DONE, LEAD, NEGATED
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, tidy

NEEDS_A_PERSON = 0.8
"""What a promise in the third person is worth; things will do this and that too, so it must be of somebody known
to be one."""

_TEAMS = (
    r"(?:the |our )?(?:legal|finance|ops|devops|security|design|infra|infrastructure|platform|support|marketing"
    r"|sales|qa|product|data|accounting|procurement|compliance|hr|it|backend|frontend|mobile|ml|sre|vendor"
    r"|customer|client|upstream|maintainers?|reviewers?|design(?:ers?)?|lawyers?|hosting provider|registrar)"
    r"(?: (?:team|department|folks|people|guys|side))?"
)
_NAME = r"(?:(?:Ms|Mr|Mrs|Dr)\.? )?@?[A-Z][\w-]+(?: (?:[A-Z][\w-]+|from [\w ]{2,20}?|at [A-Z]\w+))?"
_WHO = (
    rf"(?P<who>(?-i:{_NAME})|@[\w-]+|{_TEAMS}|my (?:manager|boss|lead|colleague|cto|ceo|pm)"
    rf"|(?-i:[a-z]{{3,12}})(?= (?:will|'ll|is going|promised|said|still|owes|has|hasn't|needs)\b))"
)
_MACHINES = re.compile(
    r"^(?:the |a |my |our )?(?:build|ci|tests?|test suite|deploy(?:ment)?|pipeline|download|install(?:ation)?"
    r"|response|it|that|this|you|your|compile|compilation|job|lock|server|process|query|promise|container"
    r"|docker|page|reply|timeout|event|connection|input|database|db|request|migration|command|script|results?"
    r"|lunch|coffee|now|me|us)\b",
    re.IGNORECASE,
)
_WAITING = Form(
    rf"^{LEAD}(?:.{{0,60}}?\b)?(?:(?:i'm|i am|we're|we are|still|currently|now|just|been|and) )*(?:(?:(?:stuck "
    r"|held up )?waiting|(?:have|has|need|needs) to wait) (?:on |for |to hear (?:back )?from )|awaiting "
    r"|pending (?=\S+'s |approval|review|sign-?off|feedback|legal|confirmation))(?P<what>.+)",
    re.IGNORECASE,
)
_PROMISED = Form(
    rf"^{LEAD}(?:(?:my|our|the) [a-z]+(?: [a-z]+)? )?{_WHO} (?:(?:has |have |already )?(?:promised|agreed"
    r"|offered|volunteered|committed)(?: to(?: me"
    r"| us)?| (?:me|us)(?: to)?)"
    r"|will(?: be)?|'ll|is going to|are going to|is gonna|(?:has|have|needs|still needs|still has) to|(?:said"
    r"|says|told me)(?: that)? (?:s?he|they|he or she)(?:'ll|'d| will| would| is going to| can)"
    r"|said (?:to expect|we'd get|we'll get|i'd get|i'll get))"
    r"\s+(?:(?:also|then|probably not|get back to us with|get back to me with|look into|still|only) )?(?P<what>.+)",
    re.IGNORECASE,
)
_GLUED = Form(rf"^{LEAD}(?P<who>(?-i:@?[A-Z][\w-]+)|s?he)'ll (?P<what>.+)", re.IGNORECASE)
_OWES = Form(rf"^{LEAD}{_WHO} (?:still )?owes (?:me|us) (?P<what>.+)", re.IGNORECASE)
_SILENT = re.compile(
    r"(?:haven'?t|have not|didn'?t|never|not|no)\s+(?:heard|hear|gotten|got|received|get|had|any)?\s*(?:back "
    r"|anything |a |any )*(?:(?P<thing>answer|reply|response|word|feedback|news|review|approval|access|quote"
    rf"|sign-off)s? )?(?:back )?(?:yet )?from {_WHO}(?: (?:about|on|regarding|re|with) (?P<what>.+))?",
    re.IGNORECASE,
)
_ASKED = Form(
    rf"^{LEAD}(?:i|we)(?:'ve| have)? (?:just |already |also )*(?:asked|pinged|emailed|e-mailed|messaged"
    rf"|requested|dm'?ed|told|nudged) {_WHO} (?:for|about|to|on) (?P<what>.+)",
    re.IGNORECASE,
)
_REQUESTED = Form(
    rf"^{LEAD}(?:i|we)(?:'ve| have)? (?:just |already )*(?:requested|asked for|ordered"
    rf"|applied for) (?P<what>.+) from {_WHO}",
    re.IGNORECASE,
)
_OUTSTANDING = Form(
    rf"^{LEAD}(?:{_WHO}'s? (?P<what>.{{3,60}}?)|(?P<thing>.{{3,60}}?) from (?P<whom>(?-i:{_NAME})"
    rf"|{_TEAMS})) (?:is|are) (?:still |currently )?(?:pending|outstanding|missing|open|due|overdue)\b",
    re.IGNORECASE,
)
_NEEDS = Form(
    rf"^{LEAD}(?:.{{2,60}}? )?(?:still )?needs? {_WHO}'s? (?P<what>(?:ok|okay|approval|sign-?off|review"
    r"|feedback|input|blessing|go-ahead|answer|confirmation)\b.*)",
    re.IGNORECASE,
)
_AT_WORK = Form(
    rf"^{LEAD}{_WHO} (?:is|are)(?: still| currently| now| already)* (?:working on|supposed to|on the hook for"
    r"|taking care of|looking into|responsible for|(?=(?:preparing|writing|drafting|reviewing|checking"
    r"|handling|finishing|fixing|building|investigating|collecting|testing|setting up|getting"
    r"|putting together)\b)) ?(?P<what>.+)",
    re.IGNORECASE,
)
_PENDING = Form(
    rf"^{LEAD}(?P<what>\S.{{2,60}}?) (?:is|are)(?: still)? (?:pending|outstanding|expected|due|missing"
    rf"|awaited) (?:from|with) {_WHO}",
    re.IGNORECASE,
)
_NOT_YET = Form(
    rf"^{LEAD}{_WHO} (?:hasn't|has not|haven't|have not|still hasn't|didn't) (?P<what>(?:{DONE}|looked at"
    r"|started|responded to|gotten back).*?) (?:yet|so far)\b",
    re.IGNORECASE,
)
_COURT = Form(rf"^{LEAD}(?P<thing>the ball) is (?:now )?in {_WHO}'s? court", re.IGNORECASE)
_EXPECTED = Form(
    rf"^{LEAD}(?:(?:i'm|i am|we're|we are|i|we)(?: still)? )?(?:expecting|hoping for|expect|need"
    rf"|still need) (?P<what>.+?) from {_WHO}(?:[\s,.]|$)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    rf"(?:^|\s){_WHO}\b.*,\s*(?:and )?(?:s?he|they)(?:(?: said| says| promised)(?: that)? (?:s?he|they))?(?:'ll"
    r"|'d| will| would| promised to|'s going to| is going to| said to) (?P<what>.+)",
    re.IGNORECASE,
)
_STILL_HAS = Form(
    rf"^{LEAD}{_WHO} (?:still )?(?:has|have|needs?) (?:still )?to (?P<what>(?:approve|review|sign|confirm|send"
    r"|deliver|decide|answer|reply|provide|check|give)\b.+)",
    re.IGNORECASE,
)
_ASSIGNED = Form(
    rf"^{LEAD}(?:i|we)(?:'ve| have)? (?:already |just )?(?:assigned|handed|delegated|passed|gave"
    rf"|given) (?P<what>.+?) (?:over |off )?to {_WHO}(?:[\s,.]|$)",
    re.IGNORECASE,
)
_BUSY = Form(
    rf"^{LEAD}(?:(?:my|our|the) \w+ )?{_WHO} (?:is|are)(?: still| currently| now)? (?P<what>(?!going|being"
    r"|having|trying|thinking|asking|waiting|coming|leaving|joining|getting married|lying|sitting"
    r"|looking forward|hoping|struggling|complaining|doing (?:well|fine|great))\w+ing .+)",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"^(?:i|we) (?:still )?need (?P<thing>(?:access to|permission|credentials|approval|a licen[cs]e"
    r"|the password|an account|quota)\b[^,]*),? .*\b(?:asked|requested|applied|pinged|emailed)\b",
    re.IGNORECASE,
)
_ORDERED = Form(
    rf"^{LEAD}(?:i|we|(?-i:[A-Z][a-z]+))(?:'ve| have"
    r"| has)? ordered (?P<thing>[^,]+?)(?: from [^,]+)?(?:,(?P<rest>.*)|$)",
    re.IGNORECASE,
)
_THEY = Form(
    rf"^{LEAD}(?P<thing>\S.{{2,60}}?), (?:they|she|he)(?:'ve| have| has)? promised (?:it|this|that|me"
    r"|us)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_WITH = Form(
    rf"^{LEAD}(?P<what>\S.{{2,60}}?) (?:is|are|sits|lies|rests) (?:now |still "
    rf"|currently )?with {_WHO}(?: (?:for|until|now|since) .+)?\s*[.!]*$",
    re.IGNORECASE,
)
_FROM = re.compile(rf"^(?P<what>.+?) (?:from|by) {_WHO}(?:[\s,.]|$)", re.IGNORECASE)
_TO = re.compile(rf"^{_WHO}(?: (?:to|for|about|on|regarding|with|before) (?P<what>.+))?$", re.IGNORECASE)
_OWN = re.compile(rf"^{_WHO}'s? (?P<what>.+)$", re.IGNORECASE)
_WHEN = re.compile(
    r"(?:(?<![\s,])[\s,]++)?\b"
    r"(?:since|for (?:about |over |more than |almost )?(?:a|an|\d+|two|three|four|five|six|a few"
    r"|a couple of) (?:days?|weeks?|months?))\b.*$",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"(?<![\s,–—-])[\s,–—-]++"
    r"(?:because|before (?:i|we|the)|so (?:that )?(?:i|we)|until then|and (?:i|we)|but|which|ordered"
    r"|requested|asked"
    r"|pinged|emailed|requested|it|they|hopefully|should)\b.*$",
    re.IGNORECASE,
)


def waiting(clause: Clause) -> Found | None:
    """What the user waits for according to a clause, None if nothing."""
    if clause.asked or clause.stance in {Stance.SUPPOSED, Stance.CONDITIONAL}:
        return None
    if clause.label == "waiting":
        return _of(clause, clause.masked, 0, 0.9)
    if clause.label:
        return None
    masked = clause.masked
    if (match := _WAITING.match(masked)) is not None and clause.stance is Stance.MEANT:
        if NEGATED.search(masked[: match.start("what")]) or _MACHINES.match(match.group("what")):
            return None
        return _of(clause, match.group("what"), match.start("what"), 0.9)
    for pattern, confidence in (
        (_OWES, 0.9),
        (_SILENT, 0.9),
        (_REQUESTED, 0.85),
        (_ASKED, 0.85),
        (_OUTSTANDING, 0.85),
        (_PENDING, 0.85),
        (_EXPECTED, 0.85),
        (_ASSIGNED, NEEDS_A_PERSON),
        (_STILL_HAS, 0.85),
        (_PRONOUN, NEEDS_A_PERSON),
        (_NOT_YET, 0.85),
        (_COURT, 0.85),
        (_PROMISED, NEEDS_A_PERSON),
        (_GLUED, NEEDS_A_PERSON),
        (_AT_WORK, NEEDS_A_PERSON),
        (_BUSY, NEEDS_A_PERSON),
        (_NEEDS, NEEDS_A_PERSON),
        (_WITH, NEEDS_A_PERSON),
    ):
        match = pattern.search(masked) if pattern is _SILENT else pattern.match(masked)
        if match is not None and (found := _from(clause, match, confidence)) is not None:
            return found
    return _unnamed(clause) if clause.stance is Stance.MEANT else None


def _unnamed(clause: Clause) -> Found | None:
    """What is promised, needed or ordered without a word of whom it comes from."""
    match = _THEY.match(clause.masked) or _NEEDED.match(clause.masked) or _ORDERED.match(clause.masked)
    if match is None:
        return None
    found = _found(clause, "", clause.text[match.start("thing") : match.end("thing")], 0.8)
    when = due(match.groupdict().get("rest") or "", clause.at)
    return found.with_details(due=when.day if when else "") if found else None


def _from(clause: Clause, match: re.Match[str], confidence: float) -> Found | None:
    named = match.groupdict()
    which = "who" if named.get("who") else "whom"
    who = clause.text[match.start(which) : match.end(which)]
    pronoun = who.lower() in {"she", "he"}
    if not (pronoun or is_someone(who)) or (
        named.get("who") and re.match(r"(?:not|never|be)\b", named.get("what") or "", re.IGNORECASE)
    ):
        return None
    name = "what" if named.get("what") else "thing"
    if not named.get(name):
        return _found(clause, who, tidy(match.group()), confidence)
    return _found(clause, who, clause.text[match.start(name) : match.end(name)], confidence)


def _of(clause: Clause, rest: str, offset: int, confidence: float) -> Found | None:
    """Who and what of `waiting for REST`."""
    rest = _REASON.sub("", _WHEN.sub("", rest)).strip(" .!,")
    for pattern in (_OWN, _TO, _FROM):
        match = pattern.match(rest)
        if match is not None and is_someone(match.group("who")):
            who = clause.text[offset + match.start("who") : offset + match.end("who")]
            if not match.group("what"):
                return _found(clause, who, clause.text[offset : offset + len(rest)], confidence)
            return _found(
                clause, who, clause.text[offset + match.start("what") : offset + match.end("what")], confidence
            )
    if rest.lower() in {"him", "her"}:
        return _found(clause, rest, clause.text, confidence)
    if len(rest.split()) < 2 and rest.lower() in NOT_A_PERSON:
        return None
    return _found(clause, "", clause.text[offset : offset + len(rest)], confidence - 0.1)


def _found(clause: Clause, who: str, what: str, confidence: float) -> Found | None:
    what = _REASON.sub("", _WHEN.sub("", what))
    when = due(what, clause.at)
    if when is not None:
        what = what[: when.start] + what[when.end :]
    what = tidy(what)
    if not what:
        return None
    found = Found(ItemType.WAITING_ON, what, clause, confidence)
    return found.with_details(who=tidy(who), since=since(clause.text, clause.at), due=when.day if when else "")
