"""Tasks: what the user promises, must do, asks for, is at work on or has done, with status, priority and due day."""

from __future__ import annotations

import re

from companion.language.dates import due
from companion.language.form import Form
from companion.language.phrases import DOING, DONE, LEAD, NEGATED, PASSING, WORKING
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, telling, tidy

DECIDED, IN_PROGRESS, COMPLETED = "decided", "in progress", "completed"
"""The states of a task."""

_SOFTLY = (
    r"(?:(?:just|then|now|also|first|quickly|probably not|definitely|still|really|finally|next|either way"
    r"|at some point|go ahead and|go and) )*"
)
_DAY = (
    r"(?:(?:(?:before|after) that|tomorrow|today|tonight|on \w+day|next week|this week|by \w+|before \w+"
    r"|after (?:that|lunch|this)|later(?: today)?|once [^,]{4,80}|when [^,]{4,80}|after [^,]{4,80}"
    r"|for the [^,]{3,60}|in the meantime|meanwhile)[, ]+(?:then )?)?"
)
_TIME = r"(?:by|before|on|until|this|next|within)\b[^,]{2,40},\s*"

_PROMISES = tuple(
    (Form(rf"^{LEAD}{pattern}", re.IGNORECASE), confidence)
    for pattern, confidence in (
        (
            r"(?:please |can you |could you )?(?:remind me|don'?t let me forget|do not let me forget"
            r"|don'?t forget|do not forget|remember|(?:i|we) (?:must|should|can)(?: not"
            r"|n'?t) forget) to (?P<what>.+)",
            0.95,
        ),
        (
            r"(?:please |can you |could you )?remind (?:me|us) (?:that )?(?:i|we) (?:need|have|must|should|want"
            r"|ought)(?: to)? (?P<what>.+)",
            0.95,
        ),
        (
            rf"{_DAY}(?:i|we)(?:'ve| have|'ll| will)?(?: still| also| really| then| both| just| now| first"
            r"| absolutely| definitely)* (?:need to|have to|got to|gotta|must|needs to|ought to)(?: also"
            r"| still| really| first)* (?!know\b|understand\b|see\b|be\b|ask you|hear\b|say\b|find a way"
            r"|wait\b|have been\b|admit\b)(?P<what>.+)",
            0.85,
        ),
        (
            rf"{_DAY}(?:i|we)(?:'ll| will| shall|'m going to|'re going to| am going to| are going to|'m gonna"
            rf"|'re gonna| plan to| intend to) {_SOFTLY}(?:(?:have|need) to )?(?P<what>.+)",
            0.85,
        ),
        (rf"{_DAY}(?:imma|ill|gonna) {_SOFTLY}(?P<what>(?:{WORKING})\b.+)", 0.8),
        (
            rf"{_DAY}let me (?P<what>(?:follow up|get back to|email|ping|ask [A-Z]|file|write|open an? (?:issue"
            r"|pr|ticket))\b.+)",
            0.75,
        ),
        (rf"{_DAY}let'?s {_SOFTLY}(?P<what>(?:{WORKING})\b.+)", 0.8),
        (
            r"(?:still (?:need|have|needs)|need|needs|got|have|gotta|todo|to do|left to do)(?:: | to | is to "
            r"| - )(?P<what>.+)",
            0.8,
        ),
        (rf"(?:i|we)(?: want| would like| hope|'d like) to (?P<what>(?:{WORKING})\b.+)", 0.75),
        (
            rf"{_DAY}i should (?:also |really |probably )?(?P<what>.+ (?:by|before|on|until|today|tomorrow|this"
            r"|next)\b.*)",
            0.75,
        ),
        (
            r"(?:please )?(?:make sure|be sure|ensure) (?:to |that )?(?:we |i |you )?(?P<what>(?!it\b|that\b"
            r"|this\b|the\b).+)",
            0.8,
        ),
        (
            rf"we should (?:also |really |probably )?(?P<what>(?:{WORKING})\b.+ (?:by|before|on|until|today"
            r"|tomorrow|this|next)\b.*)",
            0.75,
        ),
        (
            rf"(?P<what>\S.{{2,80}}? (?:has to|have to|needs? to|must) be (?:{DONE}|done|ready|out|live"
            r"|in place)\b.*)",
            0.8,
        ),
        (r"gotta (?P<what>.+)", 0.8),
        (
            r"(?:(?:my|our|the) [a-z]+ )?(?:(?-i:(?:Dr|Prof|Ms|Mr|Mrs)?\.? ?[A-Z])\S+(?: [A-Z]\S+)?|my \w+"
            r"|the (?:client|customer|boss|board|team)) (?:wants?|needs?|expects?|asked for) (?P<what>.+ (?:by"
            r"|before|until) .+)",
            0.75,
        ),
        (r"(?:the|that|this) [\w ]{2,30}? (?:i|we)(?:'ll| will) (?P<what>.+)", 0.75),
        (r"i(?: still)? (?P<what>owe .+)", 0.8),
        (
            r"(?:the )?(?:first|next|last) thing (?:i|we)(?:'ll| will| have to"
            r"| need to) do .{0,40}?is (?:to )?(?P<what>.+)",
            0.85,
        ),
        (r"i(?:'m| am) (?:responsible for|in charge of|on the hook for) (?P<what>.+ due .+)", 0.8),
        (r"(?:someone|somebody|one of us) (?:has to|needs to|must|should) (?P<what>.+)", 0.8),
        (r"i(?:'ve| have)? (?P<what>promised .+)", 0.8),
        (
            r"(?:the |my |our )*(?:next step|next thing|next up|action item|follow-?up|todo|last thing"
            r"|remaining work|only thing left)s?(?: for me| for us)?(?: is| will be|:| -)(?: to)? (?P<what>.+)",
            0.85,
        ),
        (r"(?:the )?(?:deadline|due date) for (?P<what>.+)", 0.8),
        (
            r"(?P<what>\S.{2,80}?) (?:is|are) due (?=by|on|next|tomorrow|today|this|in|end|\d|before|mon|tue"
            r"|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
            0.85,
        ),
    )
)
_IMPERATIVE = Form(
    rf"^{LEAD}(?:{_TIME}|for (?:the )?[^,]{{3,40}}, |in [\w./-]+, )?(?:(?:please|pls|kindly|can you|could you"
    r"|would you|will you|i need you to|i'd like you to|i want you to|you should|go ahead and|now|then|also"
    r"|next|first|finally|and|just|quickly)[\s,]+)*"
    rf"(?P<what>(?P<verb>{WORKING})\b (?P<rest>.+))",
    re.IGNORECASE,
)
_NOT_A_VERB = re.compile(
    r"^(?:\S+ ){0,4}?(?:is|are|was|were|has|have|had|fails|failed|shows|showed|looks|looked|seems|seemed|works"
    r"|worked|breaks|broke|landed|passes|passed|doesn't|does|didn't|isn't|wasn't|aren't|needs|says|said|went"
    r"|took|takes|hangs|keeps|gets|got|runs|did|can|can't|won't|will|would|should|comes|came|uses)\b"
    r"|^(?:and|or|for|of|in|is|on|at|to|as|with|from)\b",
    re.IGNORECASE,
)
_VERB_TAKES = re.compile(r"^(?:up|out|on|off|down|back|in|over|away|to|for|with|from)\b", re.IGNORECASE)
_PASSING_REQUEST = re.compile(
    r"^(?:(?:give|tell|show|send|get|bring|find|write|read|do|start|make|put|call|ask|keep|use|open|type|sign"
    r"|format|list|print)\s+(?:me|us|it|that|this|these|those|them|you|your|a (?:quick )?(?:summary|list|break"
    r"|minute|look|second|try|guess)|what|how|why|where)\b"
    r"|(?:read|present|type|format|find|do|start|get|give|bring|keep|use|ask|tell|double[- ]check|verify|check"
    r"|parse|plan|decide|complete|figure out|log|test|run the)\b(?!.*\b(?:by|before) )"
    r"|\w+ (?:your|the) (?:response|answer|reply|plan|output|summary|suggestion)s?\b"
    r"|\w+ (?:it|that|this|them|these|those|everything|all)(?: (?:please|again|too|up|out|now|then|all|first"
    r"|back|to me|for me|in|here|there))*\s*[.!?]*$)",
    re.IGNORECASE,
)
_NOW = Form(
    rf"^{LEAD}(?:i'm|i am|we're|we are|currently|still|i've been|we've been|right now i'm"
    r"|at the moment i'm)(?: (?:currently|still|now|just|already|also|busy|in the middle of|halfway through"
    r"|mostly done|about to finish))* "
    rf"(?P<what>(?:working on (?!it\b|that\b|this\b)|{DOING})\b.+)"
    rf"|^{LEAD}(?:i|we)(?:'ve| have)? (?:just |already )?(?:started|begun|began) (?:on |with "
    rf"|to )?(?P<begun>(?:working on |{DOING}|the |a )\S*.+)",
    re.IGNORECASE,
)
_FINISHED = Form(
    rf"^{LEAD}(?:(?P<who>i|we|[A-Z][\w-]+|(?:the )?\w+ team|legal|finance|ops|security|design|infra|support"
    rf"|marketing)(?:'ve| have| has|'s)? (?:just |finally |already |now |also |both )*(?P<what>(?:{DONE})\b.+)"
    rf"|(?:just |finally |already )*(?P<bare>(?:{DONE})\b.+)"
    rf"|(?:i'm |we're )?(?:done with|finished with|through with|done:|finished:) (?P<done>.+)"
    rf"|(?P<passive>\S.{{2,90}}? (?:is|are|was|were|got|has been|have been|'s)(?: now| finally| already| all"
    r"| just| been)* (?:done|complete|finished|in place|live|green again|resolved|solved|gone|working again"
    r"|fixed|merged|deployed|released|shipped|closed|signed|approved|sent|answered|paid|renewed|rotated"
    r"|published|landed|cleared|unblocked|delivered|back up|granted|reverted|cancelled|rolled out|ready"
    r"|through|in)(?: (?:now|today|yesterday|this morning|last night|by .+|in .+|on .+|with .+|at .+|to .+"
    r"|from .+))?)"
    rf"|(?P<over>\S.{{2,90}}? (?:is|are|has been|have been)(?: now| finally| already"
    rf"| all)* (?:{DONE})(?: (?:now|today|yesterday|already|this morning|last night))?)"
    rf"|(?P<arrived>\S.{{2,90}}? (?:arrived|landed|came (?:in|through|back)|went (?:out|live|through)|shipped"
    r"|works now|passes now|got merged|merged)(?: (?:now|today|yesterday|this morning|last night|by .+|in .+"
    r"|on .+|with .+|from .+))?))\s*[.!]*$",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"^(?:the|a|an|my|our|all|both|its?|their|this|that|these|those|two|three|pr|#?\d|`|[\w-]+[./_]\w"
    r"|(?-i:[A-Z][a-z]+\b)|[a-z]+ing \w|\w+ (?:script|test|tests|bug|parser|fix|docs|branch|schema|page|guide)\b)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|however|except|still (?:fails?|broken|not|get)|fails?|failing|doesn't work|didn't work|no luck"
    r"|yet|almost|partly|partially|nearly|half)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r",\s+(?=(?:so|which|it|that|this|there|about|we|they|all|still|turned|was|(?:he|she"
    r"|(?-i:[A-Z])\w+) (?:needs?|wants?|is|has|owns|will|asked|said)\b)\b)|(?<!\s)\s++(?:right now"
    r"|at the moment|currently)\b",
    re.IGNORECASE,
)
_PRIORITY = re.compile(
    r"\b(?:(?P<p>p[0-4])\b|(?P<word>urgent(?:ly)?|asap|top priority|high(?:est)? priority|low(?:est)? priority"
    r"|critical|nice[- ]to[- ]have|first thing))",
    re.IGNORECASE,
)


def task(clause: Clause) -> Found | None:
    """The task a clause of the user's names, None if it names none."""
    if clause.label == "done" or (clause.label == "task" and clause.ticked):
        return _of(clause, 0, len(clause.text), 0.9, COMPLETED)
    if clause.label == "task":
        return _of(clause, 0, len(clause.text), 0.9, DECIDED)
    if clause.label or clause.stance is not Stance.MEANT:
        return None
    if not clause.asked:
        if (found := _finished(clause) or _going_on(clause)) is not None:
            return found
        for pattern, confidence in _PROMISES:
            if (match := pattern.match(clause.masked)) is not None:
                what = match.group("what")
                if PASSING.match(what) or what.lower().startswith(("not ", "never ")):
                    return None
                end = match.end() if pattern is _PROMISES[-1][0] else match.end("what")
                end = len(clause.text) if pattern is _PROMISES[-1][0] else end
                return _of(clause, match.start("what"), end, confidence, DECIDED)
    return _imperative(clause)


def proposed(clause: Clause, start: int, end: int, confidence: float) -> Found | None:
    """A task in given characters of a clause, whoever said it; for offers that were taken up."""
    return _of(clause, start, end, confidence, DECIDED)


def _imperative(clause: Clause) -> Found | None:
    match = _IMPERATIVE.match(clause.masked)
    if (
        match is None
        or clause.document
        or (clause.asked and not re.search(r"\b(?:can|could|would|will) you\b", clause.masked, re.IGNORECASE))
    ):
        return None
    what, rest = match.group("what"), match.group("rest")
    if _PASSING_REQUEST.match(what) or PASSING.match(what):
        return None
    if _NOT_A_VERB.match(rest) and not _VERB_TAKES.match(rest):
        return None
    if (
        re.match(r"^(?:\S+ ){0,4}?(?:is|are|was|were|has|fails|failed|looks|works|broke|passes)\b", rest, re.IGNORECASE)
        and " that " not in rest
        and " where " not in rest
    ):
        return None
    return _of(clause, match.start("what"), match.end("what"), 0.75, DECIDED)


def _going_on(clause: Clause) -> Found | None:
    match = _NOW.match(clause.masked)
    if match is None or NEGATED.search(match.group()[:40]):
        return None
    name = "what" if match.group("what") else "begun"
    start = match.start(name)
    if match.group(name).lower().startswith("working on "):
        start += len("working on ")
    return _of(clause, start, match.end(name), 0.85, IN_PROGRESS)


def _finished(clause: Clause) -> Found | None:
    match = _FINISHED.match(clause.masked)
    if match is None or NEGATED.search(clause.masked) or _BUT.search(clause.masked):
        return None
    for name in ("what", "bare", "done"):
        if match.group(name):
            if name == "bare" and not _OBJECT.match(match.group(name).partition(" ")[2]):
                return None
            if name == "bare" and _NOT_A_VERB.match(match.group(name).partition(" ")[2].partition(",")[0]):
                return None
            start, end = match.start(name), match.end(name)
            who = match.group("who") or ""
            own = who.lower() in {"i", "we", ""}
            start = start if own else match.start("who")
            return _of(clause, start, end, 0.85 if own else 0.8, COMPLETED)
    name = next(one for one in ("passive", "over", "arrived") if match.group(one))
    if re.match(
        r"(?:it|this|until|once|when|after|while|as soon as|before|that|everything|all|which|what|there|he|she"
        r"|they|who|nothing|something|one|the (?:problem|question|point|reason|thing|goal|idea|other|rest|only"
        r"|issue is))\b",
        match.group(name),
        re.IGNORECASE,
    ):
        return None
    return _of(clause, match.start(name), match.end(name), 0.75, COMPLETED)


def _of(clause: Clause, start: int, end: int, confidence: float, status: str) -> Found | None:
    said = clause.text[start:end]
    when = due(said, clause.at) if status != COMPLETED else None
    text = said
    if when is not None:
        text = said[: when.start] + " " + said[when.end :] if said[: when.start].strip() else said[when.end :]
    elif status == DECIDED:
        when = due(clause.text[:start], clause.at)
    text = tidy(re.split(r"\s(?:because|so that|since it|since we)\b", text, maxsplit=1, flags=re.IGNORECASE)[0])
    text = tidy(_ASIDE.split(text, maxsplit=1)[0])
    if when is None and (not telling(text) or len(text.split()) < 2):
        return None
    if not text:
        return None
    found = Found(ItemType.TASK, text, clause, confidence, {"status": status})
    return found.with_details(due=when.day if when else "", priority=_priority(clause.masked))


def _priority(text: str) -> str:
    match = _PRIORITY.search(text)
    if match is None:
        return ""
    return match.group("p").upper() if match.group("p") else match.group("word").lower()
