"""Text that speaks to a program instead of to people: data like any other, which moves no answer.

Two degrees: what orders a program about (its instructions, its memory) is left out of what somebody said; what merely
tells it how to answer, in the words that we ourselves use for answers, is also kept from those who judge.
"""

from __future__ import annotations

import re
from functools import lru_cache

KEPT_TEXTS = 1_024
"""Texts remembered as looked through, a page each at most: the same few memories bear on many requests."""

_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\s+(?:all|any|the|your|every|previous|prior|above|earlier)\b.{0,40}"
    r"\b(?:instructions?|prompts?|rules|messages|context|above|directions)\b"
    r"|\b(?:store|record|save|add|write|insert|persist|log|commit|put|memori[sz]e)\b.{0,80}\b(?:to|in|into)\s+"
    r"(?:your|the assistant'?s|the user'?s|companion'?s|(?:the )?long[- ]term"
    r"|(?:the )?persistent)\s*(?:long[- ]term )?"
    r"(?:memory|memories|archive|notes)\b|\b(?:store|record|save|add|commit)\b.{0,40}\bto memory\b"
    r"|\b(?:when|while|before|after)\b.{0,20}\b(?:summari[sz]|extract|compress|archiv)(?:e|es"
    r"|ing)\b.{0,20}\b(?:this|the|our)\s"
    r"(?:conversation|talk|chat|session|transcript)\b.{0,30}\b(?:record|store|note|remember|write|state|include"
    r"|add|save|say|mention)\b"
    r"|^\W*(?:memory|summary|summari[sz]er|extractor|extraction)(?: (?:system|engine|program|module|tool))?\s*[:,]\s"
    r"|\b(?:you are now|you must now|new instructions?:|system override|admin override)"
    r"|\b(?:store|record|remember|note|save|log|memori[sz]e) (?:that )?(?:the|this) user\b"
    r"|\b(?:note|message|instructions?) (?:to|for) (?:the |any |all )?(?:memory |talk )?"
    r"(?:summari[sz]ers?|extractors?)\b",
    re.IGNORECASE,
)
_VERDICTS = (
    "contradict|same|first-contains-second|second-contains-first|beside|unsure|keep|over|junk|fits|conflicts|unknown"
)
_LABELS = "stream|file|process|human|machine|read|interpret|execute|accepted|correct"
_KEPT = "decided|accepted|rejected|(?:an? |the |your )?(?:decisions?|items?|task|insight|blocker|priority|memory|fact)"
"""Our own words: for answers, for what a request is, for what is kept. Nobody asks for work by them."""
_STEERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|prior)\b"
    r"|\b(?:system prompt|as an ai|you are (?:now )?an? (?:ai|assistant|model|language model|judge|classifier))\b"
    r"|\b(?:note|message|attention|instructions?|hint) (?:to|for) (?:the |any |all )?(?:\w+ )?"
    r"(?:assistants?|models?|ai|llms?|bots?|summari[sz]ers?|extractors?|reviewers?|memory)\b"
    rf"|\b(?:answer|respond|reply|output|say)\b.{{0,20}}[\"'`](?:{_VERDICTS}|{_LABELS})\b"
    rf"|\b(?:answer|respond|reply|output|return) (?:only |with |by |always )*(?:{_VERDICTS})\b"
    rf"|\b(?:answer|respond|reply|output|return)\b.{{0,20}}(?:stream|file|process)[\"'`]?\s*[/,]"
    rf"|\b(?:classify|label|treat|rate|score) .{{0,40}}\bas (?:an? |the )?(?:{_LABELS})\b"
    rf"|\b(?:mark|count|add|list|record|register|report|return|note|save|store) .{{0,40}}\b(?:as|to) (?:{_KEPT})\b"
    rf"|\b(?:mark|count|list|record|register|report|note) (?:as|it as|this as) (?:{_KEPT})\b"
    rf"|\b(?:extract|summari[sz]e|emit|output)\b.{{0,30}}\b(?:items|decisions)\b"
    r"|\b(?:the|this) user (?:has )?(?:decided|wants|agreed|prefers|promised|said)\b"
    r"|\bset (?:the |your )?confidence\b|\bconfidence (?:must|should|is|=|:)"
    r"|\"(?:destination|consumer|semantics|confidence|verdict|fits)\"\s*:|\"verdict\"",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


@lru_cache(maxsize=KEPT_TEXTS)
def orders_a_program(text: str) -> bool:
    """Whether it tells a program to forget its instructions, or what to remember."""
    return _ORDERS.search(text) is not None


@lru_cache(maxsize=KEPT_TEXTS)
def steers_a_model(text: str) -> bool:
    """Whether any of it speaks to whoever judges: orders, or the answer that is to be given."""
    return _STEERS.search(text) is not None or orders_a_program(text)


def unsteered(text: str) -> str:
    """A text without the sentences that speak to whoever judges; nearly always the same text."""
    if not steers_a_model(text):
        return text
    return "\n".join(one for one in _SENTENCE_END.split(text) if not steers_a_model(one))
