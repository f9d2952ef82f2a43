"""What a text's form tells of how long it matters: talk of the moment, and what is seldom needed but then badly.

Both are told by the way people speak, not by what they speak of: "just restarted it", "build 17 was green",
"delete later" pass with the day; "once a year", "in an emergency", "runbook" announce long silence. A cue for
keeping always outweighs one for passing, and where nothing tells, a text is kept.
"""

from __future__ import annotations

import re

PASSING_SCORE = 2
"""Points from which a text is talk of the moment: one sure cue, or two others, being talk among them."""

LONGEST = 200
"""Characters of a text that is looked at: what is longer was not said in passing."""

_RUN = r"(?:build|run|job|pipeline|deploy|deployment|ci|suite|tests?|attempt|try|check|sample)"
_ENDED = r"(?:passed|failed|succeeded|finished|started|crashed|aborted|timed\sout)"
_SHAPE = r"(?:green|red|yellow|ok|fine|flaky|broken|stuck|slow|done|up\sagain|down)"
_DID = (
    r"(?:looked|looking|opened|opening|checked|checking|tried|trying|ran|running|rerunning|reran|started|starting|"
    r"stopped|stopping|restarted|restarting|rebooted|rebooting|killed|pushed|pulled|merged|rebased|deployed|"
    r"deploying|skimmed|grepped|scrolled|saw|pinged|waiting|pairing|poking|measuring|debugging|asked|copied|cleared|"
    r"commented|kicked|reviewed|redeployed|rebuilt|retried|reran|blocked|poked|talked|met|left|sent|paused|resumed|"
    r"bisected|bisecting|postponed|rescheduled|uploaded|downloaded)"
)

_ON = (
    r"(?:the|an?|my|our|this|that|it|some|with|on|to|out|off|over|up|down|back|into|around|through|\d+)\b"
    r"(?!.*(?::|\b(?:is|are|has|have|must|should|can|may|uses?|needs?|goes|go|lives?|runs|keeps?|takes?|means)\b))"
)
"""How a happening goes on (`cleared the cache`); with such a verb later on, what began was the subject of it."""
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ITEM = r"(?<!\bsee\s)(?<!\bin\s)(?<!\bper\s)(?:pr|mr|ticket|task|job|pager|draft|screenshot|review|repro|standup)"
"""Items of work, which are over when they are done."""

_SURE = (
    r"^(?:temp|temporary|temporarily|tmp|scratch|wip|brb|afk|status)\s*[:,-]",
    r"\b(?:delete|remove|drop|revert|undo|ignore)\s(?:this\s|it\s|me\s)?(?:later|afterwards|soon|tomorrow)\b",
    r"\b(?:scratch|throwaway)\s\w+\b|\bwip[\s-](?:branch|commit|\d)",
    r"\bjust\s(?!need|feed|speed|seed|embed)(?:\w{2,}ed|ran|built|saw|got|did|went|sent|made|wrote|shut|hit)\b",
    r"\b(?:this|last)\s(?:time|run|morning|afternoon|evening)\b",
    r"\bwhile\s(?:i\s\w+|(?:we\s(?:are\s)?)?(?:debug|test|investigat|try|fix)(?:ing)?\b)",
    rf"\b(?:until|till|by)\s(?:noon|tonight|tomorrow|lunch|later|next\sweek|(?:this\s)?{_WEEKDAY}|the\sweekend)\b",
    r"\bback\sin\s\d+|\bout\s(?:for|to)\slunch\b|\beta\s\d|\b(?:gonna|gotta|lemme|dunno|brb)\b",
    rf"\b{_RUN}\s?\#?\d+\s(?:{_ENDED}|(?:was|is|went|came\sback|turned)\s{_SHAPE})\b",
    rf"\b{_RUN}\s\#?\d{{2,}}$",
    r"^(?:hi|hello|hey|thanks|thank\syou|ok|okay|good\s(?:morning|evening|night)|bye|lgtm|nice|cool)\b"
    r"[\s!.,]*(?:\w+[\s!.,]*){0,3}$",
)
_HINTS = (
    r"(?<!as of )\b(?:today|tonight|tomorrow|yesterday|right\snow|at\sthe\smoment|for\snow)\b",
    r"\bI(?:['’]m|['’]ll|\sam|\swill|\swas|\shad|\sjust)\b",
    r"(?<![/.])\b(?:wip|scratch|tmp|temp|temporary|temporarily)\b(?!\s(?:files?|folders?|director|tables?)|[/.])",
    rf"^(?:i\s|we\s)?(?:had\sto\s)?{_DID}\b",
    rf"^(?:i\s|we\s|still\s|currently\s)*(?!us)\w{{2,}}ing\s(?:{_ON}|\w+['’]s\s)",
    r"\bwhile\s(?:we\sare\s)?\w{3,}ing\b",
    r"\b(?:is|are|am|was|were)\s(?:still\s|now\s|just\s|again\s)?(?!us|miss|follow|includ|being)\w{3,}ing\b",
    r"\bagain\b|\bstill\s\w+(?:ing|ed|en|down)\b|\b(?:so\sfar|out\sof\s(?:memory|disk|space))\b",
    r"\b(?:glitch|weird|spiked|pinged|broke|hiccup)\b|\bwent\s(?:well|fine|badly|wrong)\b",
    r"\bat\s\d{1,2}:\d\d\b|\bsince\s(?:lunch|this\s|yesterday|noon)|\bout\ssick\b|\bon\s(?:leave|vacation|holiday)\b",
    r"\b(?:can['’]?t|cannot|could(?:\snot|n['’]t))\sreproduce\b",
    r"\b(?:looks?|feels?|seems?)\s(?:better|slower|faster|worse|off|good|bad|fine|odd|wrong|right|promising|strange)\b",
    r"\b(?:my|this)\s(?:laptop|machine|box|desk|branch|screen)\b|\bfor\s(?:the\sdemo|a\s(?:quick\s)?look)\b",
    r"\blet(?:['’]s|\sus|\sme)\b|\bwill\s(?:clean|fix|look|check|try|redo|finish|see|continue|ask|push|do)\b",
    rf"\b{_ITEM}\s?\#?\d+\b|\s\#\d+\b|\b(?:to\s?do|fixme)\b|\b\d+\s(?:\w+\s)?(?:left|to\sgo|remaining|came)\b",
    rf"\b(?:{_RUN}|line|pid)\s?\#?\d+\b",
    rf"\b(?:was|were|went|looks)\s{_SHAPE}\b",
    r"\b(?:took|needed)\s(?:\w+\s)?\d[\d.,]*\s?(?:s|secs?|seconds|ms|mins?|minutes|h|hours)\b",
)
_LASTING = (
    r"\b(?:once|twice|each|every|per)\s(?:a\s|an\s)?(?:year|quarter|decade|semester|month)\b",
    r"\b(?:yearly|annual(?:ly)?|quarterly|monthly|seldom|rarely)\b",
    r"\bemergenc|\bdisaster|\brunbook|\bplaybook|\bon[\s-]?call\b|\bescalat|\boutage|\bincident|\bbreak[\s-]?glass\b",
    r"\brecover|\brestor(?:e|ing)|\brollback\b|\broll\sback\b|\bfail\s?over\b|\bworst\scase\b|\bin\scase\sof\b",
    r"\brotat(?:e|ion|ing)|\bcredential|\bcertificate|\bexpir(?:y|es|ation)|\brenew|\blicen[cs]e|\bcompliance\b|\blegal\b",
    r"\bimportant\b|\bcritical(?:ly)?\b|\bremember\b|\bkeep\sthis\b|\bwarning\b|\bcareful\b|\bbeware\b|\bcaution\b",
    r"\bnever\b|\balways\b|\bmust\b|\bdo\snot\b|\bdon['’]t\b|\bdecided\b|\bonly\s(?:needed|when|if|in\scase)\b",
    r"\broot\scause\b|\bpost-?mortem\b|\bcontact\b|\bbecause\b|\bdue\sto\b|\bcaused\sby\b|\bcame\sfrom\b",
    r"\blast\sresort\b|\bkeep\sin\smind\b|\ball\selse\sfails\b|\bfor\sthe\srecord\b|\bso\sthat\b",
)


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_SURE_CUE, _LASTING_CUE = _any(_SURE), _any(_LASTING)
_HINT_CUES = tuple(_any((pattern,)) for pattern in _HINTS)


def passing(text: str, *, talk: bool) -> bool:
    """Whether a text is talk of the moment. `talk` says that it comes from a conversation or tells a happening."""
    if len(text) > LONGEST or seldom(text):
        return False
    if _SURE_CUE.search(text):
        return True
    return talk + sum(bool(cue.search(text)) for cue in _HINT_CUES) >= PASSING_SCORE


def seldom(text: str) -> bool:
    """Whether a text speaks of what is seldom needed, but then badly, or says that it must not be lost."""
    return bool(_LASTING_CUE.search(text))
