"""Where each verb is asked over the wire, and how long its answer may take: a row each, for both ends.

What a row leaves out follows from `companion.api.Companion`: the request from the parameters, the answer from what
is returned.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Pace(StrEnum):
    """How long an answer may take, and what else it must not hold up."""

    READ = "read"
    WRITE = "write"
    SLOW = "slow"
    LONG = "long"


class Route(NamedTuple):
    """One verb: its pace and its path."""

    verb: str
    pace: Pace
    path: str
    anywhere: bool
    """Whether it is answered outside a repository too: what a user says belongs to no project by itself."""


def _route(verb: str, pace: Pace = Pace.READ, path: str = "", *, anywhere: bool = False) -> Route:
    return Route(verb, pace, path or f"/{verb.replace('_', '-')}", anywhere)


READ, WRITE, SLOW, LONG = Pace
ROUTES: tuple[Route, ...] = (
    _route("assemble", READ, "/context/assemble"),
    _route("predict", READ, "/context/predict"),
    _route("settle", WRITE, "/contradictions/{id}/resolve"),
    _route("consolidate", SLOW),
    _route("reports"),
    _route("report"),
    _route("before_after"),
    _route("undo", SLOW),
    _route("purge", SLOW),
    _route("contradictions"),
    _route("judge_again", SLOW),
    _route("pending_judgements"),
    _route("judge", SLOW),
    _route("superseded"),
    _route("unsettle", WRITE),
    _route("explain", READ, "/context/explain"),
    _route("explain_last", READ, "/context/explain-last"),
    _route("search"),
    _route("cards"),
    _route("browse"),
    _route("dossier"),
    _route("facts"),
    _route("expand", anywhere=True),
    _route("why"),
    _route("marks"),
    _route("hints"),
    _route("at_work"),
    _route("observe", WRITE),
    _route("remember", WRITE),
    _route("forget", WRITE),
    _route("revive", WRITE),
    _route("pin", WRITE),
    _route("cite", WRITE),
    _route("pass_over", WRITE),
    _route("refresh", SLOW),
    _route("scan", LONG),
    _route("rebuild", LONG),
    _route("timeline"),
    _route("accuracy"),
    _route("stats"),
    _route("doctor", SLOW),
    _route("export", SLOW, anywhere=True),
    _route("import_file", SLOW, "/import", anywhere=True),
    _route("backup", SLOW),
    _route("start_conversation", WRITE, anywhere=True),
    _route("active_conversation", anywhere=True),
    _route("add_turn", WRITE, anywhere=True),
    _route("pause_conversation", WRITE, anywhere=True),
    _route("close_conversation", SLOW, anywhere=True),
    _route("resume_conversation", WRITE, anywhere=True),
    _route("archive_conversation", WRITE, anywhere=True),
    _route("review", anywhere=True),
    _route("edit_review", WRITE, "/review/edit", anywhere=True),
    _route("redirect_review", WRITE, "/review/redirect", anywhere=True),
    _route("split_review", WRITE, "/review/split", anywhere=True),
    _route("confirm_review", SLOW, "/review/confirm", anywhere=True),
    _route("conversations", anywhere=True),
    _route("transcript", anywhere=True),
    _route("find_turns", anywhere=True),
    _route("forget_conversation", SLOW, anywhere=True),
    _route("history", anywhere=True),
    _route("recall_turn", WRITE, anywhere=True),
    _route("running", anywhere=True),
    _route("compact", SLOW, anywhere=True),
    _route("sessions", anywhere=True),
    _route("talk_progress", anywhere=True),
    _route("whole_summary", anywhere=True),
    _route("turn_moves", anywhere=True),
    _route("threads", anywhere=True),
    _route("settle_thread", WRITE, anywhere=True),
    _route("add_todo", WRITE, anywhere=True),
    _route("acts", anywhere=True),
    _route("make_act", WRITE, anywhere=True),
    _route("delete_act", WRITE, anywhere=True),
    _route("story", anywhere=True),
    _route("identity", anywhere=True),
    _route("revise", WRITE, anywhere=True),
    _route("route", WRITE, anywhere=True),
    _route("erase", SLOW, anywhere=True),
    _route("greeting", anywhere=True),
    _route("offer_nudge", WRITE, "/nudges/offer", anywhere=True),
    _route("nudges", anywhere=True),
    _route("answer_nudge", SLOW, "/nudges/answer", anywhere=True),
    _route("notes", anywhere=True),
    _route("update_status", WRITE, anywhere=True),
    _route("preamble", anywhere=True),
    _route("place_note", WRITE, "/notes/place", anywhere=True),
    _route("use_repository_notes", WRITE, "/notes/repository"),
    _route("talk_sources", anywhere=True),
    _route("allow_source", WRITE, "/talk-sources/allow", anywhere=True),
    _route("import_talk", LONG, anywhere=True),
    _route("unseen_talk", anywhere=True),
    _route("review_unseen", LONG, anywhere=True),
    _route("classify", WRITE, "/reason/classify", anywhere=True),
    _route("decompose", WRITE, "/reason/decompose", anywhere=True),
    _route("verify", WRITE, "/reason/verify", anywhere=True),
    _route("record_outcome", WRITE, "/reason/outcome", anywhere=True),
    _route("influences", READ, "/reason/influences", anywhere=True),
    _route("notices", anywhere=True),
    _route("now", anywhere=True),
)
"""Every verb of the protocol but `close`."""
