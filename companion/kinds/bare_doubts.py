"""What makes a title doubtful: it may be true and still be nothing that anybody looks for later.

A bare title has only its words, and these are the sorts of words that have turned out to hide nothing: how the
code is arranged, what runs a little faster, how a message is worded, what type checkers see, what is packed or
depended on, what a reporter saw before anybody knew why. Each is told as soon as it says when, or what for. Some are
news of how code is written whatever explains them (`housekeeping`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

_CIRCUMSTANCE = re.compile(
    r"\b(?:when(?:ever)?|if|unless|until|while|during|after|before|without|instead|rather|so that|because|no longer"
    r"|only|always|never|in favou?r|defaults?|for \w+ing|to (?:avoid|fix|prevent|allow|support|break|keep|stop)"
    r"|in case|optional(?:ly)?|either|both|also|fix(?:es|ing|ed)|crash\w*|panics?|leaks?|env(?:ironment)?|timezone"
    r"|public|compat\w*|consistent with|under|in \w+ mode|on (?:windows|linux|macos|mac|bsd|android|ios))\b"
    r"|[<>=]=?\s?\d|%\d\d|\b\d+\.\d+",
    re.IGNORECASE,
)
"""What a title says that tells under which condition, what for, or whom it concerns."""
_RENAMED = re.compile(
    r"(?:^renam\w+\b.*?\s(?:to|into|as|->|=>)|^[\w.`'/]+ (?:->|=>))\s+(?P<new>[\w.:`'/\\$]+)", re.IGNORECASE
)
_NAME_PARTS = re.compile(r"[A-Za-z_]\w*")
_ARRANGED = re.compile(
    r"^(?:mov\w*\b(?!.*`)|(?:extract|inlin|relocat|hoist|factor|port|isolat|shuffl)\w*\b"
    r"|us(?:e|es|ed|ing) (?:the )?(?:internal|common|shared|built-?in|std\w*|http method"
    r"|direct\w*|same|single|new|own|constants?|named?|get_\w+|\S*lambdas?|more)\b"
    r"|replac\w+ (?:\S+ ){1,3}?(?:with|by) (?:lambdas?|constants?|enums?|loops?|helpers?|\S+\.\S+\W*$)"
    r"|(?:mak|defin|mark|declar|turn)\w* (?!.*\b(?:accept|return|tak))(?:\S+ ){1,3}?(?:into )?(?:a |an "
    r"|as )?(?:private|public|final|static|const"
    r"|class"
    r"|function|method|lazy|abstract|non-static|protected|internal|exported|inline)\W*$"
    r"|(?:switch|migrat|chang)\w* .*\b(?:use directive|constants?|concise|internal\w*|utils?|utility functions?)\b)"
    r"|\b(?:util|utils|utility|helper) (?:functions?|methods?|class\w*|modules?)\b|\binternal (?:class|code|func\w*"
    r"|module)\b",
    re.IGNORECASE,
)
"""How code is arranged: nobody who only uses it sees a difference."""
_MESSAGE = re.compile(
    r"^(?:improv|clarif|correct|better|sensible|adjust|enhanc|reword|rephras|tweak|nicer|clearer|incorrect|fix)\w*"
    r"(?: (?:a|an|the|some|wrong|incorrect|incorrectly|misleading|bad|formatted|confusing|broken|unclear|error"
    r"|\w+ing))*"
    r" (?:messages?|help texts?|help strings?|usage texts?|log (?:output|lines?)|error reporting)\b"
    r"|^add(?:ed)? \w+ to (?:\w+ ){0,2}messages?\W*$",
    re.IGNORECASE,
)
"""How words that people read are worded."""
_PACKED = re.compile(
    r"\b(?:dependency updates?|(?:\w+ )?dependency from (?:\w+ )?build|missing re-?exports?|serial ?version"
    r"|missing files?"
    r"|(?:build|release|compilation|install|deploy\w*|maintenance) scripts?|package metadata|wheels?|tarballs?"
    r"|(?:additional|extra) files|intersphinx|submodules?|cross-compil\w+|type stubs?|stub files?"
    r"|files (?:\w+ )?to (?:the )?repo\w*|phpunit\S*|class ?path|commentary)\b"
    r"|\.(?:spec|dist)\b",
    re.IGNORECASE,
)
"""How the project is built and packed, which its manifests say better."""
_REPORTED = re.compile(
    r"\b(?:does ?n['’]?t|does not|do ?n['’]?t|is ?n['’]?t|is not|not|never|no longer|stopped)\s+(?:\w+ly )?work(?:s"
    r"|ing)?"
    r"(?: (?:correctly|properly|as expected|anymore|any more|at all|right|anyways?))?\W*$"
    r"|^\W*(?:\w+(?:\.|::))*[A-Z]\w*(?:Error|Exception)\b(?:\(\))?:"
    r"|\b(?:weird\w*|strange|wrong|unexpected) ?(?:behaviou?r|things?|results?)\W*$",
)
"""What somebody reported: what was seen, and not what was done about it."""
_PRAISED = re.compile(
    r"^(?:add\w*|implement\w*|provid\w+|more|allow\w*|support\w*|expos\w+)?\s*(?:an? |some |for )?(?:much "
    r"|slightly )?(?:easier"
    r"|faster|nicer|cleaner|better|safer|smarter|simpler|sensible|modern\w*|comfortabl[ye]|friendl(?:y|ier)"
    r"|flexible"
    r"|pretty|prettier|stricter|clearer|sane(?:r)?|consistent|slightly|tighter)\b"
    r"|^mak\w+ .*\b(?:faster|nicer|cleaner|better|smarter|simpler|sensible|reasonable|robust|consistent|pretty|prettier"
    r"|clearer|saner|stricter|flexible)\W*$",
    re.IGNORECASE,
)
"""A title that praises what it did."""
_TALK = re.compile(
    r"\((?:part|take|step|phase|round|attempt) [\w/]+\)|\bpart \d+\W*$"
    r"|\bsuggest(?:ed changes|ions?)\b|\b(?:code|peer|self) review\b|^(?:some )?(?:major |big )?restructuring\b"
    r"|\b(?:profiling|debugging code|the mess|hopefully|oops|ready for merge|that I|IRC|moar|yay|serious biz"
    r"|lots of progress|first commit|some features|horrible|evil|silly|stupid|crappy|ugly|cruft|sanity|gah|argh)\b",
    re.IGNORECASE,
)
"""What was said among those at work."""
_TYPED = re.compile(
    r"\b(?:arg(?:ument)?|param(?:eter)?|function|return|property|prop|field|generic) types?\W*$"
    r"|^(?:fix|correct|improv|relax|loosen|tighten)\w* (?:the )?(?:type|typing|def)s? (?:for|of|in|on)\b"
    r"|\btype[ -]checked\b"
    r"|^(?:mark|fix|correct|improv|adjust|relax)\w* .*\btypes? (?:as|for|of|in|to)\b"
    r"|\b(?:TS|incorrect|loose|wrong|missing|correct|better|proper|stricter|generic) (?:types?"
    r"|typings?)\b(?! errors?)|-> \w+ (?:to|for) "
    r"|\btyping (?:for|of|on|in)\b|\b(?:type (?:augmentation|signatures?|definition files?)|typings"
    r"|declaration files?)\b"
    r"|\b(?:from|to|use) `?(?-i:Dict|List|Mapping|Iterable|Iterator|Sequence|Optional|Union|Any|Callable|Tuple"
    r"|Collection"
    r"|TypeGuard)\b|\btypes? (?:definitions?|declarations?|exports?)\W*$",
    re.IGNORECASE,
)
"""What type checkers see."""
_MICRO = re.compile(
    r"^(?:const-?if|namespace\b|simplif|dedup|use .*-isms?\b|make \S+ (?:\S+ )?(?:more |less )?(?:explicit|implicit"
    r"|const)\b)"
    r"|\b(?:duplicate|redundant?|needless|unneeded|extra|superfluous|redundand) (?:\w+ )?(?:casts?|alias(?:es)?"
    r"|checks?|calls?"
    r"|cop(?:y|ies)|loops?|lookups?|assignments?|variables?)\b|\b(?:spread operator|list comprehension|inline function"
    r"|f-?strings?|lambdas?)\b|\bbuild\W*$|^fix\w* (?:the )?(?:\S+ ){0,2}builds?\b",
    re.IGNORECASE,
)
"""How one line is written."""
_LACKS = re.compile(r"missing(?: \S+){1,4}\W*$", re.IGNORECASE)
"""What there was not, and no word of whether there is now."""
_REMOVED_PART = re.compile(
    r"^(?:remov|drop|delet)\w* (?:the )?(?:[`'\"]?_\w|.*\b(?:abstractions?|code ?paths?|conditionals?"
    r"|indirections?"
    r"|bookkeeping|propert(?:y|ies) from|\w*generali[sz]ation|calls?|occurrences)\b)",
    re.IGNORECASE,
)
"""A call, or a name that nobody outside saw, which is gone."""


_HOW = re.compile(
    r"^(?:add|support|allow|implement)|\b(?:by|via|avoid\w*|cach\w+|lazi?ly|skip\w*|once|reduc\w+|memory|alloc\w*)\b",
    re.IGNORECASE,
)
"""What a title about speed says of how: `by generating code`."""
_ERROR_ALONE = re.compile(r"^\W*\w+(?:Error|Exception)\W*$")


def circumstance(text: str) -> bool:
    """Whether a title says under which condition, or what for."""
    return _CIRCUMSTANCE.search(text) is not None


def housekeeping(text: str, *, tested: bool) -> bool:
    """Whether even an explanation makes a title no more than news of how the code is written."""
    if _ERROR_ALONE.match(text) or _TALK.search(text):
        return True
    return _TYPED.search(text) is not None or (not tested and _PACKED.search(text) is not None)


def doubtful(text: str, change: str, *, tested: bool, known: Callable[[str], bool] | None = None) -> bool:
    """Whether a bare title is of a sort that hides nothing; `known` tells whether a name stands in the code.

    `text` is the title without type, scope and files, `change` its sort.
    """
    if any(sort.search(text) for sort in (_TALK, _REPORTED, _TYPED, _MICRO)):
        return True
    if (renamed := _RENAMED.search(text)) is not None:
        return known is not None and not _stands(renamed["new"], known)
    if change == "performance":
        return _HOW.search(text) is None
    return not circumstance(text) and _plain(text, change, tested=tested)


def _plain(text: str, change: str, *, tested: bool) -> bool:
    """Whether a title without any circumstance is of a sort that needs one."""
    if any(sort.match(text) for sort in (_MESSAGE, _PRAISED, _REMOVED_PART)) or (not tested and _PACKED.search(text)):
        return True
    if change == "" and _LACKS.match(text):
        return True
    return change in {"", "refactor", "removal"} and _ARRANGED.search(text) is not None


def _stands(name: str, known: Callable[[str], bool]) -> bool:
    """Whether any name in what something was renamed to stands in the code."""
    return any(known(part) for part in _NAME_PARTS.findall(name))
