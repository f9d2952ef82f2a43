"""Whether a title that nothing explains is an event to remember: it has to say of itself what happened.

An explained commit tells its reason; a bare title has only its words. It is remembered where those name
what changed: enough words that are not in every project's log, or a name of code, and something that
proves it, as a test or an issue does. It is not where it

- says how its author felt about code and not what became of it (`Improve X handling`, `Clean up Y`);
- speaks of words that people or type checkers read (a hint, a message's wording, annotations);
- made things work with one version of something, which was true of one day;
- reverts something that said nothing itself;
- is of a sort that hides nothing (see `bare_doubts`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from companion.kinds import noise
from companion.kinds.bare_doubts import doubtful, housekeeping
from companion.kinds.meaning import change_of
from companion.kinds.noise_words import FILE
from companion.records import ChangeStatus, FileChange

NEEDED = {"feature": 2, "removal": 2, "performance": 2}
"""Saying words a bare title of each sort of change needs; `OTHERS_NEED` for the rest."""
_TELLING = frozenset({"feature", "fix"})
"""Sorts of change whose titles are about what users see, with nothing beside them to prove it."""
OTHERS_NEED = 3
"""Saying words of a fix, a rework, or a title that names no sort of change: fewer name a place only."""
CODE_NAME_SAYS = 2
"""Words that a name of code counts for: it can be looked up."""
WIDE_FILES = 3
"""Files of source from which something added is no detail."""
VAGUE_NEEDS = 4
"""Plain words after a vague verb, from which a title says what became better."""
FRAGMENT_NEEDS = 5
"""Saying words of a title that names neither a sort of change nor an action: fewer are a heading."""
LEAST = 2
"""Saying words that any bare title needs, be it proven or not; of what was taken away the name alone is enough."""
FIX_NEEDS = 3
"""Saying words of a fix that names no code, proven or not: `Fix shape caching` does not say what was wrong."""

_REVERTED = re.compile(r"^(?:partial(?:ly)? )?(?:revert(?:s|ed|ing)?|undo|back(?:ed|ing)? out)\b:?\s*", re.IGNORECASE)
_QUOTES = "\"'“”‘’"
_OF_A_MERGE = re.compile(r"^merge (?:pull request|branch|remote|of)\b|^#?\d+\W*$", re.IGNORECASE)
_MOVING = re.compile(r"^(?:mov|renam|extract|inlin|reorder)ing\b", re.IGNORECASE)
_UPGRADE = re.compile(r"^(?:bump|updat|upgrad|pin|unpin)\w*\b", re.IGNORECASE)
"""A housekeeping that is an event once it had to be taken back."""
_VAGUE = re.compile(
    r"^(?:some |more |further |minor |slight(?:ly)? |general )*"
    r"(?:improv|refactor|rewr[io]t|re-?implement|clean|finess|polish|rework|tweak|simplif|streamlin|moderni[sz]"
    r"|reorgani[sz]|restructur"
    r"|overhaul|enhanc|beautif|prettif|tid(?:y|ie)|review|rejig|clarif|generali[sz]|unif[iy]|revis|revamp|organi[sz]"
    r"|harmoni[sz]|consolidat|adjust|adapt|massag|decoupl|better|nicer|cosmetic"
    r"|started (?:work|on)|prepar|experiment|attempt|playing|work(?:ing|ed)? on|progress on)\w*\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:instead of|rather than|so that|because|to (?:avoid|fix|prevent|use|allow|support)|in favou?r of|by \w+ing"
    r"|and (?:allow|add|fix|support|prevent)\w*)\b",
    re.IGNORECASE,
)
_BESIDES = re.compile(
    r"\s*(?:,|;|\band\b|&|\+)\s*(?:some )?(?:refactor\w*|clean-?ups?|simplif\w*|tidy\w*)\W*$", re.IGNORECASE
)
_IMPROVES = re.compile(r"^(?:improv|enhanc|better|clean)", re.IGNORECASE)
"""A verb that users may notice the work of, once a test shows it."""
_VAGUE_END = re.compile(
    r"\b(?:improvements?|enhancements?|clean-?ups?|tweaks?|refactor(?:ing|s)?|polish(?:ing)?|adjustments?|re-?works?"
    r"|simplifications?|updates?|changes?|fixes)\W*$|\b(?:stuff|things|played with|playing with)\b",
    re.IGNORECASE,
)
_ACTION = re.compile(
    r"^(?:always|never|only|no longer|make|set|let|raise|return|skip|ignore|swap|force|treat|expose|move|stop|start"
    r"|require"
    r"|reject|strip|detect|defer|store|reset|send|call|check|validate|enforce|use|show|print|emit|pass|push|pop|load"
    r"|save"
    r"|read|write|parse|render|log|warn|throw|catch|cache|close|open|default|disable|disallow|deny|forbid|limit"
    r"|restrict"
    r"|relax|tighten|loosen|lower|increase|decrease|reduce|bring|give|keep|wrap|unwrap|escape|encode|decode|convert"
    r"|change"
    r"|turn|mark|register|unregister|inherit|override|propagate|forward|include|exclude|combine|merge|split|reverse"
    r"|sort"
    r"|normali[sz]e|initiali[sz]e|seriali[sz]e|generate|compute|count|try|retry|wait|poll|spawn|run|execute|trigger"
    r"|fall"
    r"|fallback|prefer|assume|trust|verify|protect|hide|reveal|link|build|compile|install|separate|rename|undo"
    r"|stabili[sz]e"
    r"|repurpose|differentiate|distinguish|match|map|bind|unbind|attach|detach|apply|clear|flush|reopen|re-?add|re-?use"
    r"|chop|tune|stringify|format|wire|hook|inject|lock|unlock|switch|go|get|find|search|look|take|put|ship|bundle"
    r"|configur\w*|issue|error|invoke|customi[sz]e|replay|integrate|propagate|refuse"
    r"|report|extend|delay|collect|discover|resolve|accumulate|follow|import|export|pin|drop|clone|copy|consume"
    r"|construct)(?:s|e?d|ing)?\b"
    r"|->|=>",
    re.IGNORECASE,
)
"""What a title says that something does, in the imperative or of a thing renamed: `A -> B`."""
_STATES = re.compile(
    r"\b(?:is|are|now|can|cannot|should|must|does|has|have|becomes?|will|may|not|no|always|never|only|by default"
    r"|instead"
    r"|when|if|unless|until|without|rather|so that|because|to avoid|support (?:for|in|of|on))\b|n['’]t\b",
    re.IGNORECASE,
)
"""What a title says that states how things are from now on."""
_PRIVATE_RENAME = re.compile(r"^(?:renam\w*|chang\w*)?\s*`?_\w+`?\s*(?:->|=>|to|into)\s*`?_\w+`?\W*$", re.IGNORECASE)
"""Names that nobody outside ever saw."""
_WORDING = re.compile(
    r"^(?:fix|silenc|suppress|remov|eliminat|avoid)\w* (?:\S+ ){0,2}warnings?\W*$|\b(?:multi-?catch|try-with-resources"
    r"|diamond operators?|null coalesc\w*|(?:clarifying|redundant|extra|missing) parenthes[ei]s|propert(?:y|ies) types?"
    r"|typed propert\w*|type declarations?|(?:final|static|const|public|private|var|let) (?:keyword|modifier)s?"
    r"|string casting|short array syntax"
    r"|constructor promotion|optional chaining|named imports?|typing (?:errors?|bugs?|issues?)"
    r"|by name (?:rather|instead)|vestigial|didn.?t (?:really )?do anything)\b|^(?:inlin|extract|mov)\w* (?:\S+ ){0,2}"
    r"(?:computations?|variables?|declarations?|initiali[sz]ations?|field creation)\b|"
    r"(?:^|\s)@(?:method|param|return|var|throws|property|see|inheritdoc|template|mixin|since)\b"
    r"|\b(?:type[ -](?:annotations?|hints?)|(?:print|debug) statements?|pragmas?|dbg|gosimple|fieldalignment"
    r"|\w+ happy|where (?:applicable|appropriate|possible)|(?:fix|remov|avoid|delet)\w* (?:\w+ ){0,2}unused"
    r"|re-?exported|extern crate|generics|terminology|misnomers?|glossary|fixed font|abbreviations?|brief notes?"
    r"|references? to|hard-?coded values?|excess|test func\w*|\d{4} edition|circular references?"
    r"|non[- ]null assertions?|(?:protected|private|public) from|__future__|cargo fix|trailing \w+"
    r"|(?:(?:copper|bronze|silver|gold|platinum) )(?:tier|sponsor\w*)|(?:long "
    r"|short )?desc(?:ription)?s? of (?:the )?help"
    r"|(?:installation|install) instructions|how to (?:load|install|use|run)\b|filetypes?|(?:init|__init__) files?)\b"
    r"|\bcomments? (?:for|in|on|about|to|of)\b|(?:^|\badd\w* (?:a |an |some )?)(?:hints?|tips?)\b|^annotat\w+\b"
    r"|\b(?:advice|wording"
    r"|mentions?|documentai?t?i?on|readability|f-strings?|magic numbers?|nbsp|grammatical"
    r"|pronouns?|missing quotes?|(?:list|dict|set) literals?|named constants?|boilerplate|code (?:style|smell|quality)"
    r"|(?:improv|us|replac|convert|simplif|prefer)\w* (?:\S+ ){0,3}comprehensions?|more idiomatic|cyclomatic"
    r"|camel ?case|snake ?case|no_implicit_\w+|disallow_\w+|warn_un\w+)\b",
    re.IGNORECASE,
)
"""What a bare title speaks of when only those who read the code notice the change."""
_NOT_BEHAVIOUR = re.compile(
    r"^(?:fix|silenc|avoid|suppress|remov|address|resolv)\w* .*\bwarnings?\b"
    r"|^(?:fix|repair|restor)\w* (?:the )?(?:\w+ )?builds?\b|^(?:updat|clarif|adjust)\w* .{0,40}\bdeprecat\w*"
    r"|\b(?:mention(?:ed|ing)|type[ -]?hint\w*|type[ -]annotat\w*|annotat\w+ .{0,20}types?|missing annotations?"
    r"|mypy|pyright|phpstan|psalm|type[ -]checkers?|stubs?|pyi|py\.typed|AnyStr|typing\.\w+|type aliases"
    r"|return types?|(?:better|more|stricter|improved) types|dead code|gitattributes|virtualenvs?|noxfile|travis"
    r"|tox\.ini|makefile|compil(?:e|ation|er) (?:bug|error|issue|failure|problem)s?"
    r"|build (?:bug|error|issue|failure|problem|break)\w*"
    r"|bundle (?:error|issue)s?|circular (?:dependenc\w+|imports?)|top-level imports?|playground)\b"
    r"|\b(?:typing (?:of|for|in)|types? (?:improvements?|fix\w*|issues?|errors?))\b"
    r"|^(?:fix|improve|better)\w* (?:types|typing)\b",
    re.IGNORECASE,
)
"""What it speaks of when only type checkers and build tools do, unless a test shows that something else changed."""
_ONLY_WHERE = re.compile(r"\b(?:support|behaviou?r|handling|override|usage|logic)s?\W*$", re.IGNORECASE)
"""How a fix ends that names what was touched: it needs a word more."""
_NO_MORE = re.compile(r"\b(?:bug|issue|problem|support|behaviou?r|handling|override|usage|logic)s?\W*$", re.IGNORECASE)
"""How a title ends that says where something was wrong, and not what."""
_ONLY_FIXES = re.compile(r"(?<=\w)\s(?:bug ?|hot ?)?fix(?:es)?\W*$", re.IGNORECASE)
"""How a title ends that has fixed something: `Session fixes`."""
_COMPATIBLE = re.compile(
    r"\b(?:compat\w*|support|workaround|work(?:s|ing)? (?:around|on|with)|loader|interface|legacy|adapt\w*)\b",
    re.IGNORECASE,
)
_VERSIONED = re.compile(r"(?<![\w.])(?:[A-Za-z]+[@ -]?)?v?\d+\.\d+(?:\.\d+)?(?![\w.])")
_SUPPORT = re.compile(r"\b(?:remov|drop|end|stop)\w* .*\bsupport", re.IGNORECASE)
_SUPPORTS_RELEASE = re.compile(r"^(?:add )?support (?:for )?[\w. -]{1,30} v?\d+(?:\.\d+)+\W*$", re.IGNORECASE)
"""A release of something else that works too; what the manifests say today holds."""
_VERSION_WORD = re.compile(r"^(?:[a-z]+@?)?v?\d+(?:\.\d+)+[a-z]?$")
_CODE_NAME = re.compile(
    r"`[^`\s]{2,60}`|\b[A-Za-z_]\w*\(\)|\b[A-Za-z]\w*(?:\.|::|#|->)[A-Za-z_]\w+|\b[A-Za-z]*[a-z0-9]_\w+|\b_\w{2,}"
    r"|\b[A-Z]?[a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b|(?<!\S)--?[a-z][\w-]{2,}|(?<=\s)\.[a-z]\w+"
)
_ERROR = re.compile(r"\b[A-Z]\w+(?:Error|Exception|Warning)\b")
"""The name of an error says what was wrong."""
_COMPOUND = re.compile(r"[a-z0-9]-[a-z0-9]|[a-z]\d", re.IGNORECASE)
"""A word of two, or with a number in it, names one thing only: `set-cookie`, `http2`."""
_GRAVE = re.compile(
    r"\b(?:(?:infinite |endless |redirect )?loops?|dead-?locks?|races?|leak\w*|crash\w*|panic\w*|overflow\w*|hang(?:s"
    r"|ing)?"
    r"|segfault\w*|recursion|corrupt\w*|data loss|stack ?overflow|use-after-free|injection|oracle|attack\w*|bypass\w*"
    r"|traversal|spoof\w*|saniti[sz]\w*|denial|xss|csrf|ssrf)\b",
    re.IGNORECASE,
)
"""A defect that is remembered by its name."""
_FILE = re.compile(rf"`?(?<![\w/]){FILE}(?!\w)`?|`?(?:[\w.-]+/){{2,}}[\w.-]*`?", re.IGNORECASE)
"""A place in the tree: it says where, and the files of the commit say it better."""
_TYPING_SCOPES = frozenset({"typing", "types", "type hints", "annotations", "type annotations"})
_ISSUE = re.compile(r"(?<![\w&])(?:#|GH-)\d+\b")

_GENERAL = """
    bug bugs issue issues problem problems error errors support handling behavior behaviour logic stuff interface
    interfaces implementation structure system functionality class classes value values case cases
    thing things way work works usage side edge potential initial internals internal improvements
    previously code back new first next data object objects excessively deep various certain
    deprecated deprecations behaviors branch helper helpers condition conditions interaction local component
    components call calls throughout several around
"""
_SAYS_LITTLE = frozenset(_GENERAL.split())
"""Nouns that stand for any other: they do not count as saying something."""


def says_enough(
    title: str,
    change: str,
    changes: Sequence[FileChange],
    *,
    asked: bool = True,
    known: Callable[[str], bool] | None = None,
) -> bool:
    """Whether a title tells an event without any explanation.

    `change` is the sort of change (see `meaning.change_of`), `changes` the files it touched; `asked` whether an issue
    or a request stands behind it; `known` tells whether a name stands in the code.
    """
    bare = noise.bare_subject(title)
    change = change_of(title) or change
    text = _FILE.sub(_without_file, bare.text)
    if _REVERTED.match(bare.text):
        return _reverts_something(bare.text)
    paths = [touched.path for touched in changes]
    tested = any(noise.test_path(path) for path in paths)
    if _hides_nothing(text, change, bare.scope, tested) or doubtful(text, change, tested=tested, known=known):
        return False
    named = bool(_CODE_NAME.search(text))
    if (not named and " " not in text.strip()) or _SUPPORTS_RELEASE.match(text):
        return False
    said = _saying(text) + CODE_NAME_SAYS * named + bool(bare.scope)
    if change == "fix" and named and not _ERROR.search(text) and not _saying(_CODE_NAME.sub(" ", text)):
        return False
    if not change and not _ACTION.search(text) and not _STATES.search(text):
        return said >= FRAGMENT_NEEDS
    proven = tested or (change == "feature" and _wide(changes)) or _ISSUE.search(title) is not None
    alone = change not in _TELLING and not (proven or asked or any(noise.release_note(path) for path in paths))
    if change == "fix" and (_NO_MORE.search(text) or not named):
        return said >= FIX_NEEDS + (_ONLY_WHERE.search(text) is not None)
    least = LEAST - (change == "removal")
    return said >= max(least, NEEDED.get(change, OTHERS_NEED) - proven + alone)


def _hides_nothing(text: str, change: str, scope: str, tested: bool) -> bool:
    """Whether a title only says that something is better, or speaks of words that people or type checkers read."""
    vague = change != "performance" and _vague(text, change, tested)
    if vague or _PRIVATE_RENAME.match(text) or _WORDING.search(text):
        return True
    return not tested and bool(_NOT_BEHAVIOUR.search(text) or scope in _TYPING_SCOPES or _of_a_day(text, change))


def only_written(title: str, changes: Sequence[FileChange]) -> bool:
    """Whether a title is about how the code is written, so that no explanation makes it an event."""
    text = _FILE.sub(_without_file, noise.bare_subject(title).text)
    tested = any(noise.test_path(touched.path) for touched in changes)
    return housekeeping(text, tested=tested) or (not tested and _WORDING.search(text) is not None)


def _without_file(found: re.Match[str]) -> str:
    """Nothing for a file; a member of a class looks like one (`Request.json`) and stays."""
    return found.group() if found.group().lstrip("`")[:1].isupper() else " "


def _wide(changes: Sequence[FileChange]) -> bool:
    """Whether a change brought a file of source, or touched several: then even a heading names a feature."""
    source = [c for c in changes if not noise.test_path(c.path) and not noise.quiet_path(c.path)]
    return len(source) >= WIDE_FILES or any(c.status is ChangeStatus.ADDED for c in source)


def only_better(title: str, change: str) -> bool:
    """Whether a title says that something is better or made anew, and neither what nor why."""
    return _vague(_FILE.sub(_without_file, noise.bare_subject(title).text), change_of(title) or change, tested=False)


def _vague(text: str, change: str, tested: bool) -> bool:
    """Whether a title says that something is better now, and not what or why."""
    if _REASON.search(text):
        return False
    text = _BESIDES.sub("", text)
    needed = VAGUE_NEEDS
    if (change in {"", "refactor"} and _VAGUE_END.search(text)) or _ONLY_FIXES.search(text):
        text = _ONLY_FIXES.sub("", _VAGUE_END.sub("", text))
    elif found := _VAGUE.match(text):
        text = text[found.end() :]
        needed -= tested and _IMPROVES.match(found.group()) is not None
    else:
        return False
    plain = {word for word in noise.telling_words(text) if word not in _SAYS_LITTLE}
    return len(plain) < needed


def _of_a_day(text: str, change: str) -> bool:
    """Whether a title tells of one version of something that had to be put up with."""
    passing = change in {"fix", "", "refactor"}
    return passing and _VERSIONED.search(text) is not None and _COMPATIBLE.search(text) is not None


def _saying(text: str) -> int:
    """Words of a title that say something; the vaguest nouns do not, nor versions but of what is supported."""
    words = {word for word in noise.telling_words(text) if word not in _SAYS_LITTLE}
    told = [word for word in words if not _VERSION_WORD.match(word) or _SUPPORT.search(text)]
    return len(told) + sum(1 for word in told if _COMPOUND.search(word)) + bool(_GRAVE.search(text))


def _reverts_something(text: str) -> bool:
    """Whether what a revert takes back is named and no noise itself."""
    what = _REVERTED.sub("", text).strip(_QUOTES + " .")
    if not what or _OF_A_MERGE.match(what):
        return False
    if not noise.noise_subject(what):
        if _VAGUE.match(what) or _MOVING.match(what):
            return False
        return _saying(what) > 1 or _CODE_NAME.search(what) is not None
    return _UPGRADE.match(noise.bare_subject(what).text) is not None
