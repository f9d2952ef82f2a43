"""A question: whether a text is one, and its verb where that says little of what is asked."""

from __future__ import annotations

import re

from companion.language.word_lists import GLUE, word_set

_BEGINS = re.compile(
    r"(?:where|which|what|who|whose|why|how|when|since when|in which|is|are|do|does|can|may|must|should)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


def is_question(text: str) -> bool:
    """Whether a text begins or ends as a question."""
    return text.rstrip().endswith("?") or _BEGINS.match(text.lstrip()) is not None


def light_verb(text: str) -> str:
    """The verb of a question that says little of what is asked, `made` of "how is a release made"; empty without one.

    It is a participle behind a form of "be" and before no noun, of one of the commonest verbs, which an answer hardly
    uses; "published" and "sorted" say what they are about.
    """
    words = _WORD.findall(text.lower()) if is_question(text) else []
    being = next((at for at, word in enumerate(words) if word in word_set("grammar", "being")), len(words))
    common = word_set("grammar", "commonest")
    later = zip(words[being + 1 :], [*words[being + 2 :], ""], strict=False)
    return next((word for word, after in later if word in common and (not after or after in GLUE)), "")
