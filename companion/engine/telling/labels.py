"""What a pointer of the index says is behind it: a few telling words, so that a reader knows what to open.

A label is made of what the memory itself says when the context is told, so that memories kept long ago are pointed
to as well as new ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion import escape
from companion.engine.telling.styles import says_title

LABEL_CHARS = 50
"""Characters of a label; spec K1, an index entry."""
TITLE_CHARS = 26
"""A title longer than half a label leaves no room for what is said of it."""
ALONE_WORDS = 4
"""Words from which a text is understood without its title: `Tests run with pytest` is, `src/ with tests/` is not."""
HEAD_CHARS = 18
"""What two long labels that begin alike keep of their beginning; the rest is where they differ."""
CUT = "…"


def labels(said: Sequence[tuple[str, str]]) -> list[str]:
    """A label for each title and text, in their order: at most `LABEL_CHARS` characters on one line, all to be seen.

    Two that begin alike are told by where they differ. An escape sequence or a mark of direction that were cut in the
    middle, or left open, would swallow what stands behind: they go before anything is measured.
    """
    whole = [_whole(escape.visible_text(title), escape.visible_text(text)) for title, text in said]
    cut = [_cut(words, LABEL_CHARS) for words in whole]
    return [_apart(words, _alike(at, cut, whole)) or cut[at] for at, words in enumerate(whole)]


def _whole(title: str, text: str) -> list[str]:
    """What is said, in words: a property with what it is a property of, a few words with what they are about."""
    title, text = " ".join(title.split()), " ".join(text.split()).rstrip(".")
    lead = ""
    if title and len(title) <= TITLE_CHARS and not says_title(text, title):
        if _is_property(text):
            lead = title  # `code style` and `line length: 88` read as one
        elif len(text.split()) < ALONE_WORDS:
            lead = f"{title}:"
    return f"{lead} {text or title.rstrip('.')}".split()


def _is_property(text: str) -> bool:
    """Whether a text is the name of something and its value, rather than a sentence with a colon in it."""
    name, colon, _ = text.partition(": ")
    return bool(colon) and len(name.split()) <= ALONE_WORDS


def _cut(words: Sequence[str], most: int) -> str:
    """The first whole words that fit, with a sign that there are more."""
    text = " ".join(words)
    if len(text) <= most:
        return text
    start = text[: most - len(CUT) + 1]
    end = start.rfind(" ")
    return (start[:end] if end > 0 else start[:-1]).rstrip(" ,;:.(") + CUT


def _alike(at: int, cut: Sequence[str], whole: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """The others that would be called the same and say something else."""
    mine = cut[at].casefold()
    return [whole[other] for other, label in enumerate(cut) if label.casefold() == mine and whole[other] != whole[at]]


def _apart(words: Sequence[str], others: Sequence[Sequence[str]]) -> str:
    """A beginning and the words from where a text differs from those most like it.

    Empty if nothing is like it, or if the others merely say more: those are told by their ends.
    """
    shared = max((at for other in others if (at := _shared(words, other)) < len(words)), default=len(words))
    if shared == len(words):
        return ""
    head = _cut(words[:shared], HEAD_CHARS).removesuffix(CUT)
    room = LABEL_CHARS - len(head) - len(CUT) - 1
    alike = [other[shared] for other in others if _shared(words, other) == shared < len(other)]
    return f"{head} {CUT}{_cut([_from_difference(words[shared], alike, room), *words[shared + 1 :]], room)}".strip()


def _from_difference(word: str, others: Sequence[str], room: int) -> str:
    """A word, without the beginning it shares with others if that alone would fill the room: paths are such words."""
    shared = max((_shared(word, other) for other in others), default=0)
    return word[shared:] if shared >= room - len(CUT) else word


def _shared(words: Sequence[str], other: Sequence[str]) -> int:
    """How many words two texts begin with alike, or characters two words, whatever their case."""
    pairs = enumerate(zip(words, other, strict=False))
    return next((at for at, (one, two) in pairs if one.casefold() != two.casefold()), min(len(words), len(other)))
