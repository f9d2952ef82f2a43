"""Changes of priority: what comes first now, what may wait, and what it was before if that is said."""

from __future__ import annotations

import re

from companion.language.form import Form
from companion.language.phrases import LEAD
from companion.language.sentences import Clause
from companion.language.stance import Stance
from companion.records.talk import ItemType
from companion.talk.items.found import Found, telling, tidy

_LEVEL = r"(?:p[0-4]|top|high(?:est)?|low(?:est)?|medium|normal|urgent|critical)(?: priority)?"
_PATTERNS = tuple(
    (
        Form(rf"^{LEAD}{pattern}(?:\s*[,;–—-]\s.*|,\s.*|\s(?:because|since|as|so|now)\b.*)?\s*[.!]*$", re.IGNORECASE),
        confidence,
    )
    for pattern, confidence in (
        (
            r"(?:let'?s |please |we should |we |i |we need to |can you )?(?:bump(?:ing)?|mov(?:e|ing)|rais(?:e"
            r"|ing)|lower|change|demote|promote|drop|downgrade|upgrade"
            rf"|set) (?P<what>\S.{{2,80}}?)(?:'s priority)?(?: up"
            rf"| down)?(?: from (?P<old>{_LEVEL}))? to (?:a )?(?P<new>{_LEVEL})(?: from (?P<was>{_LEVEL}))?",
            0.9,
        ),
        (
            r"(?:let'?s |please |we'll |we will |i'll |we should |we're )?(?:push|move|postpone|delay|defer"
            r"|shift|bump)(?:ing)? (?P<what>\S.{2,80}?)(?: back| out)? (?P<new>(?:to|until"
            r"|till) (?:the )?(?:next (?:week|month|quarter|sprint|release|year|version|milestone)|later"
            r"|after .{2,40}|q[1-4]|(?:the )?backlog|v\d\S*|\d\.\d\S*|20\d\d))",
            0.85,
        ),
        (
            r"(?P<what>\S.{2,80}?) (?:is|are|has|have|becomes|became|goes|has become|just became|should be"
            r"|gets)(?: now| still)? (?:our |the |my |a )?(?:new )?(?P<new>(?:top|highest|high|low|lowest"
            r"|number one|first|biggest|main) priority|p[0-4]|urgent|next(?: up)?|priority (?:number )?(?:one"
            r"|1)|most important)(?: now)?(?:, (?:not|was|previously|instead of) (?P<old>.+))?",
            0.85,
        ),
        (
            r"(?:our |the |my )?(?:new )?(?P<new>(?:top|highest|first|number one|main) priority)(?: now)?(?: is"
            r"|:)(?: now)? (?P<what>.+)",
            0.9,
        ),
        (
            r"(?:let'?s |please |we |i |we'll |we will |we need to |i'll |we should "
            r"|we're going to )?(?P<new>(?:de)?prioriti[sz]e) (?P<what>.+)",
            0.85,
        ),
        (
            r"(?:let'?s |please |we'll |we will |i'll |we should |we |i want to )?(?:do|tackle|finish|ship"
            r"|handle|get|fix|build) (?P<what>\S.{2,80}?) (?P<new>first|before \S.{2,80})",
            0.8,
        ),
        (
            r"(?P<what>(?!that|it|this)\S.{2,80}?)(?<!whichever) (?P<new>comes? first|goes first"
            r"|takes precedence(?: over .+)?|has to come first|comes? before .+|goes before .+"
            r"|before everything else)",
            0.85,
        ),
        (
            r"(?P<what>(?!that|it|this|i\b|we\b|you\b)\S.{2,80}?) (?P<new>can wait(?: until .+| till .+)?"
            r"|has to wait(?: until .+)?|is (?:not urgent|lower priority|on the back burner|no longer urgent"
            r"|not a priority(?: .+)?|no longer a priority))",
            0.85,
        ),
        (
            r"(?P<what>(?!that|it|this|there)\S.{2,80}?) (?:is|are) (?:now )?(?P<new>(?:more|less|far more"
            r"|much more) (?:important|urgent) than .{2,60}?)(?: now)?",
            0.85,
        ),
        (
            r"(?:let'?s |please |we |i |we'll |i'll |we need to |we have to |i need to |i have to "
            r"|we should )?(?P<new>focus on) (?P<what>\S.{2,80}? (?:first|now|for now|before .+))",
            0.85,
        ),
        (
            r"(?:let'?s |please |we |we'll |i'll )?put (?P<what>(?!it\b|that\b"
            r"|this\b)\S.{2,80}?) (?P<new>on (?:the back burner|hold|ice|the shelf))(?: for now)?",
            0.85,
        ),
        (
            r"(?:let'?s |please |we should |we |i'll |we'll )?make (?P<what>(?!it\b|this\b"
            r"|that\b)\S.{2,80}?) (?:the |our |my |a )?(?P<new>(?:top|highest|high|first|number one|low"
            r"|lowest) priority|p[0-4]|priority (?:one|1))",
            0.9,
        ),
        (
            r"(?:let'?s |please |we should |we'll |i'll )?(?:move|put|do|take|schedule|rank) (?P<what>(?!it\b"
            r"|this\b|that\b)\S.{2,80}?) (?P<new>ahead of \S.{2,60}|before \S.{2,60}|up the list|to the (?:top"
            r"|front|bottom)(?: of the (?:list|queue|backlog))?)",
            0.85,
        ),
    )
)


_OWN_PART = re.compile(r",\s+(?:and|but|so)\s+", re.IGNORECASE)


def priority(clause: Clause) -> Found | None:
    """The change of priority that a clause of the user's makes, None if it makes none."""
    if clause.asked or clause.stance is not Stance.MEANT:
        return None
    if clause.label == "priority":
        return Found(ItemType.PRIORITY, tidy(clause.text), clause, 0.85)
    if clause.label:
        return None
    for pattern, confidence in _PATTERNS:
        if (match := pattern.match(clause.masked)) is None:
            continue
        named = match.groupdict()
        what = tidy(_OWN_PART.split(clause.text[match.start("what") : match.end("what")])[-1])
        if not telling(what) or "?" in what:
            continue
        old = next((named[name] for name in ("old", "was") if named.get(name)), "")
        found = Found(ItemType.PRIORITY, what, clause, confidence)
        return found.with_details(old=old, new=tidy(clause.text[match.start("new") : match.end("new")]))
    return None
