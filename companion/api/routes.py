"""Where each verb is asked over the wire, and how long its answer may take: a row each, for both ends.

What a row leaves out follows from `companion.api.Companion`: the request from the parameters, the answer from what
is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import NamedTuple


class Pace(StrEnum):
    """How long an answer may take, and what else it must not hold up."""

    READ = "read"
    WRITE = "write"
    SLOW = "slow"
    LONG = "long"


class Route(NamedTuple):
    """One verb: the family that declares it, its pace and its path."""

    verb: str
    family: str
    pace: Pace
    path: str
    anywhere: bool
    """Whether it is answered outside a repository too: what a user says belongs to no project by itself."""

    @property
    def declared(self) -> Callable[..., object]:
        """The verb as the protocol of its family declares it; no other family is loaded."""
        protocol = getattr(import_module(f"companion.api.{self.family}"), self.family.title())
        declared: Callable[..., object] = getattr(protocol, self.verb)
        return declared


def _route(verb: str, family: str, pace: Pace = Pace.READ, path: str = "", *, anywhere: bool = False) -> Route:
    return Route(verb, family, pace, path or f"/{verb.replace('_', '-')}", anywhere)


READ, WRITE, SLOW, LONG = Pace
ROUTES: tuple[Route, ...] = (
    _route("assemble", "asking", READ, "/context/assemble"),
    _route("predict", "asking", READ, "/context/predict"),
    _route("settle", "settling", WRITE, "/contradictions/{id}/resolve"),
    _route("consolidate", "consolidating", SLOW),
    _route("reports", "consolidating"),
    _route("report", "consolidating"),
    _route("before_after", "consolidating"),
    _route("undo", "consolidating", SLOW),
    _route("purge", "consolidating", SLOW),
    _route("contradictions", "settling"),
    _route("judge_again", "settling", SLOW),
    _route("pending_judgements", "judging"),
    _route("judge", "judging", SLOW),
    _route("superseded", "settling"),
    _route("unsettle", "settling", WRITE),
    _route("explain", "asking", READ, "/context/explain"),
    _route("explain_last", "asking", READ, "/context/explain-last"),
    _route("search", "asking"),
    _route("cards", "asking"),
    _route("browse", "browsing"),
    _route("dossier", "browsing"),
    _route("facts", "browsing"),
    _route("expand", "asking", anywhere=True),
    _route("why", "observing"),
    _route("marks", "observing"),
    _route("hints", "observing"),
    _route("at_work", "observing"),
    _route("observe", "observing", WRITE),
    _route("remember", "keeping", WRITE),
    _route("forget", "keeping", WRITE),
    _route("revive", "keeping", WRITE),
    _route("pin", "keeping", WRITE),
    _route("cite", "keeping", WRITE),
    _route("pass_over", "keeping", WRITE),
    _route("refresh", "tending", SLOW),
    _route("scan", "tending", LONG),
    _route("rebuild", "tending", LONG),
    _route("timeline", "looking"),
    _route("accuracy", "looking"),
    _route("stats", "tending"),
    _route("doctor", "tending", SLOW),
    _route("export", "tending", SLOW, anywhere=True),
    _route("import_file", "tending", SLOW, "/import", anywhere=True),
    _route("backup", "tending", SLOW),
    _route("start_conversation", "talking", WRITE, anywhere=True),
    _route("active_conversation", "talking", anywhere=True),
    _route("add_turn", "talking", WRITE, anywhere=True),
    _route("pause_conversation", "talking", WRITE, anywhere=True),
    _route("close_conversation", "talking", SLOW, anywhere=True),
    _route("resume_conversation", "talking", WRITE, anywhere=True),
    _route("archive_conversation", "talking", WRITE, anywhere=True),
    _route("review", "talking", anywhere=True),
    _route("edit_review", "talking", WRITE, "/review/edit", anywhere=True),
    _route("redirect_review", "talking", WRITE, "/review/redirect", anywhere=True),
    _route("split_review", "talking", WRITE, "/review/split", anywhere=True),
    _route("confirm_review", "talking", SLOW, "/review/confirm", anywhere=True),
    _route("conversations", "talking", anywhere=True),
    _route("transcript", "talking", anywhere=True),
    _route("find_turns", "talking", anywhere=True),
    _route("forget_conversation", "talking", SLOW, anywhere=True),
    _route("history", "turns", anywhere=True),
    _route("recall_turn", "turns", WRITE, anywhere=True),
    _route("running", "turns", anywhere=True),
    _route("compact", "turns", SLOW, anywhere=True),
    _route("sessions", "turns", anywhere=True),
    _route("talk_progress", "turns", anywhere=True),
    _route("whole_summary", "turns", anywhere=True),
    _route("turn_moves", "turns", anywhere=True),
    _route("threads", "storied", anywhere=True),
    _route("settle_thread", "storied", WRITE, anywhere=True),
    _route("add_todo", "storied", WRITE, anywhere=True),
    _route("acts", "storied", anywhere=True),
    _route("make_act", "storied", WRITE, anywhere=True),
    _route("delete_act", "storied", WRITE, anywhere=True),
    _route("story", "storied", anywhere=True),
    _route("identity", "storied", anywhere=True),
    _route("revise", "storied", WRITE, anywhere=True),
    _route("route", "storied", WRITE, anywhere=True),
    _route("erase", "storied", SLOW, anywhere=True),
    _route("greeting", "storied", anywhere=True),
    _route("offer_nudge", "nudges", WRITE, "/nudges/offer", anywhere=True),
    _route("nudges", "nudges", anywhere=True),
    _route("answer_nudge", "nudges", SLOW, "/nudges/answer", anywhere=True),
    _route("notes", "notes", anywhere=True),
    _route("update_status", "notes", WRITE, anywhere=True),
    _route("preamble", "notes", anywhere=True),
    _route("place_note", "notes", WRITE, "/notes/place", anywhere=True),
    _route("use_repository_notes", "notes", WRITE, "/notes/repository"),
    _route("talk_sources", "bringing", anywhere=True),
    _route("allow_source", "bringing", WRITE, "/talk-sources/allow", anywhere=True),
    _route("import_talk", "bringing", LONG, anywhere=True),
    _route("unseen_talk", "bringing", anywhere=True),
    _route("review_unseen", "bringing", LONG, anywhere=True),
    _route("classify", "reasoning", WRITE, "/reason/classify", anywhere=True),
    _route("decompose", "reasoning", WRITE, "/reason/decompose", anywhere=True),
    _route("verify", "reasoning", WRITE, "/reason/verify", anywhere=True),
    _route("record_outcome", "reasoning", WRITE, "/reason/outcome", anywhere=True),
    _route("influences", "reasoning", READ, "/reason/influences", anywhere=True),
    _route("notices", "opened", anywhere=True),
    _route("now", "opened", anywhere=True),
)
"""Every verb of the protocol but `close`."""
