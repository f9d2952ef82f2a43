"""All verbs together, answered in this process for one checkout: six services over what a checkout has in common."""

from __future__ import annotations

from pathlib import Path

from companion.app.rooms import Rooms
from companion.app.verbs.admin import AdminService
from companion.app.verbs.ask import Contexts
from companion.app.verbs.code import CodeService
from companion.app.verbs.consolidation import ConsolidationService
from companion.app.verbs.imports import TalkImports
from companion.app.verbs.memory import MemoryService
from companion.app.verbs.nudges import NudgeOffers
from companion.app.verbs.past import PastTalk
from companion.app.verbs.requests import Requests
from companion.app.verbs.search import Search
from companion.records import RepoState


class AskService(Contexts, Search, Requests):
    """What is asked: contexts and why they are so, one list of what is found, requests read and checked."""


class ConversationService(PastTalk, TalkImports, NudgeOffers):
    """What is said: conversations and their reviews, what was said before, other assistants' logs, nudges."""


class LocalCompanion(AskService, MemoryService, CodeService, ConversationService, ConsolidationService, AdminService):
    """Answers for one checkout. See `companion.api.Companion` for the verbs."""


def nowhere(rooms: Rooms, path: Path, *, owns_rooms: bool) -> LocalCompanion:
    """A companion outside of any repository: its project is the user's own space; it has no checkout and no history."""
    place = str(path.expanduser().absolute())
    state = RepoState(root=place, common_dir="", root_commit="", remote="", head="", branch="")
    return LocalCompanion(rooms, state, rooms.user, "", owns_rooms=owns_rooms)
