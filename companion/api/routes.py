"""Where each verb is asked over the wire, and how long its answer may take: a row each, for both ends.

What a row leaves out follows from `companion.api.Companion`: the request from the parameters, the answer from what
is returned.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from typing import NamedTuple

from companion import records


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
    def plain_path(self) -> str:
        """Where it is asked as the protocol declares it, which the published contract words otherwise for a few."""
        return f"/verbs/{self.verb}" if self.verb in WORDED else self.path

    @property
    def declared(self) -> Callable[..., object]:
        """The verb as its family declares it; no other family is loaded, and of the records those that it names."""
        family = import_module(f"companion.api.{self.family}")
        declared: Callable[..., object] = getattr(getattr(family, f"{self.family.title()}Verbs"), self.verb)
        for name in set(_NAME.findall(" ".join(declared.__annotations__.values()))) - vars(family).keys():
            if not hasattr(builtins, name):
                setattr(family, name, getattr(records, name))
        return declared


def _route(verb: str, family: str, pace: Pace = Pace.READ, path: str = "", *, anywhere: bool = False) -> Route:
    return Route(verb, family, pace, path or f"/{verb.replace('_', '-')}", anywhere)


WORDED = frozenset({"assemble", "predict", "explain", "consolidate", "settle"})
"""Verbs whose requests or answers the published contract words otherwise than the protocol."""
_NAME = re.compile(r"\w+")
READ, WRITE, SLOW, LONG = Pace
ROUTES: tuple[Route, ...] = (
    _route("assemble", "ask", READ, "/context/assemble"),
    _route("predict", "ask", READ, "/context/predict"),
    _route("settle", "memory", WRITE, "/contradictions/{id}/resolve"),
    _route("consolidate", "consolidation", SLOW),
    _route("reports", "consolidation"),
    _route("report", "consolidation"),
    _route("before_after", "consolidation"),
    _route("undo", "consolidation", SLOW),
    _route("purge", "consolidation", SLOW),
    _route("contradictions", "memory"),
    _route("judge_again", "memory", SLOW),
    _route("pending_judgements", "consolidation"),
    _route("judge", "consolidation", SLOW),
    _route("superseded", "memory"),
    _route("unsettle", "memory", WRITE),
    _route("explain", "ask", READ, "/context/explain"),
    _route("explain_last", "ask", READ, "/context/explain-last"),
    _route("search", "ask"),
    _route("cards", "memory"),
    _route("dossier", "memory"),
    _route("facts", "code"),
    _route("overview", "code"),
    _route("file_past", "code"),
    _route("commit", "code"),
    _route("expand", "ask", anywhere=True),
    _route("why", "code"),
    _route("marks", "code"),
    _route("hints", "code"),
    _route("at_work", "code"),
    _route("observe", "code", WRITE),
    _route("remember", "memory", WRITE),
    _route("seed", "memory", WRITE, anywhere=True),
    _route("forget", "memory", WRITE),
    _route("revive", "memory", WRITE),
    _route("pin", "memory", WRITE),
    _route("cite", "memory", WRITE),
    _route("pass_over", "memory", WRITE),
    _route("refresh", "code", SLOW),
    _route("scan", "code", LONG),
    _route("rebuild", "admin", LONG),
    _route("timeline", "memory"),
    _route("accuracy", "admin"),
    _route("stats", "admin"),
    _route("doctor", "admin", SLOW),
    _route("export", "admin", SLOW, anywhere=True),
    _route("import_file", "admin", SLOW, "/import", anywhere=True),
    _route("backup", "admin", SLOW),
    _route("start_conversation", "conversation", WRITE, anywhere=True),
    _route("active_conversation", "conversation", anywhere=True),
    _route("add_turn", "conversation", WRITE, anywhere=True),
    _route("pause_conversation", "conversation", WRITE, anywhere=True),
    _route("close_conversation", "conversation", SLOW, anywhere=True),
    _route("resume_conversation", "conversation", WRITE, anywhere=True),
    _route("archive_conversation", "conversation", WRITE, anywhere=True),
    _route("review", "conversation", anywhere=True),
    _route("edit_review", "conversation", WRITE, "/review/edit", anywhere=True),
    _route("redirect_review", "conversation", WRITE, "/review/redirect", anywhere=True),
    _route("split_review", "conversation", WRITE, "/review/split", anywhere=True),
    _route("confirm_review", "conversation", SLOW, "/review/confirm", anywhere=True),
    _route("conversations", "conversation", anywhere=True),
    _route("transcript", "conversation", anywhere=True),
    _route("find_turns", "conversation", anywhere=True),
    _route("forget_conversation", "conversation", SLOW, anywhere=True),
    _route("history", "conversation", anywhere=True),
    _route("recall_turn", "conversation", WRITE, anywhere=True),
    _route("running", "conversation", anywhere=True),
    _route("compact", "conversation", SLOW, anywhere=True),
    _route("sessions", "conversation", anywhere=True),
    _route("talk_progress", "conversation", anywhere=True),
    _route("whole_summary", "conversation", anywhere=True),
    _route("turn_moves", "conversation", anywhere=True),
    _route("threads", "conversation", anywhere=True),
    _route("settle_thread", "conversation", WRITE, anywhere=True),
    _route("add_todo", "conversation", WRITE, anywhere=True),
    _route("acts", "memory", anywhere=True),
    _route("make_act", "memory", WRITE, anywhere=True),
    _route("delete_act", "memory", WRITE, anywhere=True),
    _route("story", "memory", anywhere=True),
    _route("identity", "memory", anywhere=True),
    _route("revise", "memory", WRITE, anywhere=True),
    _route("route", "memory", WRITE, anywhere=True),
    _route("erase", "memory", SLOW, anywhere=True),
    _route("greeting", "conversation", anywhere=True),
    _route("offer_nudge", "conversation", WRITE, "/nudges/offer", anywhere=True),
    _route("nudges", "conversation", anywhere=True),
    _route("answer_nudge", "conversation", SLOW, "/nudges/answer", anywhere=True),
    _route("notes", "admin", anywhere=True),
    _route("update_status", "admin", WRITE, anywhere=True),
    _route("preamble", "admin", anywhere=True),
    _route("place_note", "admin", WRITE, "/notes/place", anywhere=True),
    _route("talk_sources", "conversation", anywhere=True),
    _route("allow_source", "conversation", WRITE, "/talk-sources/allow", anywhere=True),
    _route("import_talk", "conversation", LONG, anywhere=True),
    _route("unseen_talk", "conversation", anywhere=True),
    _route("review_unseen", "conversation", LONG, anywhere=True),
    _route("classify", "ask", WRITE, "/reason/classify", anywhere=True),
    _route("decompose", "ask", WRITE, "/reason/decompose", anywhere=True),
    _route("verify", "ask", WRITE, "/reason/verify", anywhere=True),
    _route("record_outcome", "ask", WRITE, "/reason/outcome", anywhere=True),
    _route("influences", "ask", READ, "/reason/influences", anywhere=True),
    _route("team_status", "team", READ, "/team/status"),
    _route("team_sent", "team", READ, "/team/sent"),
    _route("team_preview", "team", READ, "/team/preview"),
    _route("team_share", "team", WRITE, "/team/share"),
    _route("team_withdraw", "team", SLOW, "/team/withdraw"),
    _route("team_export", "team", SLOW, "/team/export"),
    _route("team_import", "team", SLOW, "/team/import"),
    _route("team_prepare", "team", SLOW, "/team/server/prepare", anywhere=True),
    _route("team_connect", "team", SLOW, "/team/server/connect"),
    _route("team_disconnect", "team", WRITE, "/team/server/disconnect"),
    _route("team_sync", "team", SLOW, "/team/server/sync"),
    _route("team_search", "team", SLOW, "/team/server/search"),
    _route("team_server", "team", READ, "/team/server"),
    _route("notices", "admin", anywhere=True),
    _route("now", "admin", anywhere=True),
)
"""Every verb of the protocol but `close`."""
