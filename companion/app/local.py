"""The verbs, answered in this process with the store opened here.

What only some verbs need is imported inside them: a context from a cold shell must not wait for the
parsers of a scan.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.api import Expansion, Explanation, Finding, Learned, Note, Order, ScanReport, Stats
from companion.app.given import did_you_mean, inside, readable_note, readable_query, readable_signals
from companion.app.rooms import Rooms
from companion.engine.assemble import assemble
from companion.engine.explain import explain
from companion.engine.focus import focus
from companion.engine.predict import predict
from companion.errors import ModelMissing, SourceError, StoreUnwritable, UsageError
from companion.ports import Progress
from companion.records import (
    Activity,
    Context,
    ErrorReport,
    Forecast,
    Format,
    Hit,
    Memory,
    Prediction,
    RepoState,
    SearchQuery,
    Signals,
    Tier,
)
from companion.signals import git
from companion.signals.files import CommitTree, WorkTree, blob_id, decoded
from companion.store import contradictions, projects, usage
from companion.store.library import NO_MODEL, StoreLibrary
from companion.store.texts import clean

if TYPE_CHECKING:
    from companion.app.scan import Scanned, Scanner

MEMORY_ID = "m1"
"""How a memory's id begins; code and pointers have ids of their own."""
FORECAST_MEMORIES = 10
"""Memories named beside a forecast's files."""
BACKUP_EVERY_S = 24 * 3600
"""A scan makes a backup if the last is older: a day's work is the most that a lost disk block costs."""
LINES_BEFORE = 5
"""Lines above those that are shown, read for the name that a value in them was given to."""
MANY_LINES = ("PRIVATE KEY", "Static key", "PuTTY-User-Key", "kind: Secret", 'kind: "Secret"')
"""What tells of secrets that go over many lines, or are known by a line far above: the whole file is looked at then."""


@dataclass
class LocalCompanion:
    """Answers for one checkout. See `companion.api.Companion` for the verbs."""

    rooms: Rooms
    state: RepoState
    project: str
    checkout: str
    tree: WorkTree | CommitTree | None = None
    """Where files are read from; None: the work tree, or the newest commit of a bare repository."""
    _read: bool = field(default=False, init=False, repr=False)
    _notices: list[str] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        """Whatever is kept and shown of the checkout has no secret in it; a branch may be named by one."""
        self.state = replace(self.state, branch=self._fit(self.state.branch))

    def now(self) -> datetime:
        """The clock's time, naive UTC."""
        return self.rooms.clock.now()

    def close(self) -> None:
        """Let go of the store."""
        self.rooms.close()

    # ------------------------------------------------------------------ scanning

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code and learn from it; then make vectors."""
        from companion.app.vectors import fill_vectors

        self._refuse_empty()
        start = time.monotonic()
        self._daily_backup()
        projects.consent(self.rooms.database, self.project, self.now())
        scanned = self._scanner(progress, full=full).run(self._tree())
        first_context_s = time.monotonic() - start
        if embed and self.rooms.embedder is not None:
            try:
                fill_vectors(self.rooms, self.project, progress)
            except ModelMissing as wrong:
                scanned = replace(scanned, notes=(*scanned.notes, f"No vectors were made. {wrong}"))
        return self._report(scanned, first_context_s, time.monotonic() - start)

    def _refuse_empty(self) -> None:
        """Where there is nothing to read, saying so helps more than a table of noughts."""
        root = self.state.root
        if self.state.bare and not self.state.head:
            raise UsageError(
                f"{root} is a bare repository, and its branch `{self.state.branch}` has no commits.",
                f"Push to it, or choose a branch that has: `git -C {root} symbolic-ref HEAD refs/heads/BRANCH`.",
            )
        if not self.state.head and not self._was_read() and next(iter(self._tree().entries()), None) is None:
            raise UsageError(f"{root} has no commits and no files yet.", "Add a file, then run `companion init` again.")

    def _scanner(self, progress: Progress, *, full: bool) -> Scanner:
        from companion.app.scan import Scanner

        workers = self.rooms.settings.parse_workers or min(8, os.cpu_count() or 1)
        return Scanner(
            self.rooms,
            self.state,
            self.project,
            self.checkout,
            progress,
            self.now(),
            full=full,
            workers=workers,
        )

    def _tree(self) -> WorkTree | CommitTree:
        if self.tree is None:
            self.tree = CommitTree(self.state, self.state.head) if self.state.bare else WorkTree(self.state)
        return self.tree

    def _daily_backup(self) -> None:
        from companion.store.backup import backup, backups

        copies = backups(self.rooms.home)
        age_s = time.time() - copies[0].stat().st_mtime if copies else BACKUP_EVERY_S
        scanned_before = projects.checkout_head(self.rooms.database, self.checkout)
        if scanned_before and not 0 <= age_s < BACKUP_EVERY_S:  # a clock that was set back makes it negative
            backup(self.rooms.database, None)

    def _report(self, scanned: Scanned, first_context_s: float, total_s: float) -> ScanReport:
        return ScanReport(
            project=projects.project_name(self.rooms.database, self.project),
            root=self.state.root,
            branch=self.state.branch,
            commits_new=scanned.commits_new,
            commits_total=scanned.commits_total,
            files_new=scanned.files_new,
            files_total=scanned.files_total,
            files_gone=scanned.files_gone,
            added=scanned.outcome.added,
            changed=scanned.outcome.changed,
            retired=scanned.outcome.retired,
            contradictions=scanned.outcome.contradictions,
            learned=self._learned(),
            skipped=scanned.skipped,
            first_context_s=first_context_s,
            total_s=total_s,
            readiness=self.library().readiness(),
            notes=scanned.notes,
        )

    def _learned(self) -> tuple[Learned, ...]:
        counts = self.rooms.memories.counts(self.project)
        return tuple(
            Learned(kind, type_, number)
            for (kind, type_, status), number in sorted(counts.items())
            if status == "active"
        )

    # ------------------------------------------------------------------ asking

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """The four-tier context, never above the budget."""
        signals = self._at_hand(signals)
        context = self._assembled(budget_tokens, signals, shown, order)
        if unread := self._unread(signals.current_file):
            self._notices.append(unread)
            context = replace(context, missing=(*context.missing, unread))
        if count_use:
            served = [
                item.id
                for tier in context.tiers
                if tier.tier is not Tier.INDEX
                for item in tier.items
                if item.id.startswith(MEMORY_ID)
            ]
            self._count_use(served, budget_tokens, signals)
        return context

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        """Why each item (or one) is in the context, and what would be there without it."""
        signals = self._at_hand(signals)
        context = self._assembled(budget_tokens, signals, Format.MARKDOWN, Order.PEOPLE)

        def without(left_out: str) -> Context:
            return self._assembled(
                budget_tokens, signals, Format.MARKDOWN, Order.PEOPLE, leave_out=frozenset({left_out})
            )

        return explain(context, item_id, without if leave_one_out else None)

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        """Why the context that was asked for last is as it is."""
        self._need_reading()
        last = self._last()
        if last is None:
            raise UsageError("No context has been asked for yet.", "Run `companion context --file FILE` first.")
        budget, signals = last
        return self.explain(
            budget if budget_tokens is None else budget_tokens,
            signals,
            item_id,
            leave_one_out=item_id is not None,
        )

    def predict(self, signals: Signals) -> Forecast:
        """The files and memories that are likely needed."""
        signals = self._at_hand(signals)
        shown = self._assembled(self.rooms.settings.budget_tokens, signals, Format.JSON, Order.PEOPLE)
        memories = [i.id for tier in shown.tiers[:2] for i in tier.items if i.id.startswith(MEMORY_ID)]
        return Forecast(
            files=self.predict_files(signals),
            memories=tuple(memories[:FORECAST_MEMORIES]),
            confidence=shown.confidence,
            activity=shown.activity,
            missing=shown.missing,
        )

    def predict_files(self, signals: Signals) -> tuple[Prediction, ...]:
        """The files alone, most likely first."""
        library = self.library(signals)
        meant = focus(signals, self._errors(signals), library)
        return predict(meant, library, self._moment(signals))

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Memories that match, archived ones only if the query asks for them."""
        library = self.library(Signals(at=query.as_of))
        hits = library.search(readable_query(query, self.state, self.rooms.redactor.redact))
        asked_for = NO_MODEL if self.rooms.settings.embeddings == "off" else ""
        self._notices += [what for what in library.readiness().missing if what != asked_for]
        return hits

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough) or `file:PATH`."""
        if id_.startswith("file:"):
            return self._expand_file(self._fit(id_.removeprefix("file:")))
        found = self._resolved(id_)
        (memory,) = self.rooms.memories.get([found])
        versions = tuple(self.rooms.memories.versions(found))
        return Expansion(memory.id, memory.draft.levels.compressed, memory.draft.levels.full, memory, versions)

    def _expand_file(self, path: str) -> Expansion:
        library = self.library()
        forms = library.paths().get(path)
        if forms is None:
            raise UsageError(f"`{path}` is not an indexed file.", did_you_mean(path, library.paths()))
        body = library.body(path, 1, max(1, forms.lines))
        return Expansion(f"file:{path}", path, body or forms.skeleton or forms.outline or path)

    # ------------------------------------------------------------------ keeping

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        from companion.kinds.by_hand import draft_from_note

        fit = readable_note(note, self.state, self.rooms.redactor.redact)
        draft = draft_from_note(fit.text, fit.kind, fit.scope, fit.visibility, fit.pinned, fit.label, self.now())
        return self.rooms.memories.remember(self.project, draft, self.now())

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""
        return self.rooms.memories.forget(self._resolved(id_), self.now())

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, or take the pin out."""
        return self.rooms.memories.pin(self._resolved(id_), on)

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action."""
        usage.record(self.rooms.database, list(ids), "cited", self._fit(action), self.now())

    def export(self, folder: Path) -> tuple[Path, ...]:
        """Write everything of this project as JSON Lines and Markdown."""
        from companion.store import export

        return tuple(export.export(self.rooms.database, self.project, folder))

    def import_file(self, path: Path) -> int:
        """Read an export back; returns the number of memories that were new."""
        from companion.store.imports import import_file

        return import_file(
            self.rooms.database, self.project, path, counter=self.rooms.counter, redactor=self.rooms.redactor
        )

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        from companion.store.backup import backup

        return backup(self.rooms.database, target)

    # ------------------------------------------------------------------ tending

    def stats(self) -> Stats:
        """What the store holds of this project, in counts and bytes."""
        counts = self.rooms.memories.counts(self.project)
        library = self.library()
        languages = Counter(forms.language for forms in library.paths().values() if forms.language)
        used = usage.totals(self.rooms.database, self.project)
        return Stats(
            project=projects.project_name(self.rooms.database, self.project),
            remote=self.state.remote,
            root=self.state.root,
            commits=self.rooms.history.seq_count(self.project),
            files=len(library.paths()),
            symbols=self.rooms.code.symbol_count(self.checkout),
            languages=tuple(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
            memories=self._learned(),
            archived=sum(n for (_, _, status), n in counts.items() if status == "archived"),
            open_contradictions=len(contradictions.open_ones(self.rooms.database, self.project)),
            readiness=library.readiness(),
            store_bytes=self.rooms.database.path.stat().st_size,
            store_path=str(self.rooms.database.path),
            retrieved=used.retrieved,
            cited=used.cited,
            ignored=used.ignored,
        )

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""
        from companion.app import checks

        return checks.examine_open(self.rooms, self.state, self.project)

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        from companion.app import checks

        return checks.rebuild(self.rooms, self.project, progress)

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers, in sentences: of the store, of what was not read."""
        return (*self.rooms.database.notices, *dict.fromkeys(self._notices))

    # ------------------------------------------------------------------ inner

    def _resolved(self, id_: str) -> str:
        return self.rooms.memories.resolve(self._fit(id_))

    def _fit(self, text: str) -> str:
        """What a person typed, as it may be kept and said back: no secret, no undecodable sign."""
        return self.rooms.redactor.redact(clean(text))

    def _assembled(
        self,
        budget_tokens: int,
        signals: Signals,
        shown: Format,
        order: Order,
        leave_out: frozenset[str] = frozenset(),
    ) -> Context:
        return assemble(
            budget_tokens,
            signals,
            self._errors(signals),
            self.library(signals),
            self.rooms.counter,
            self._moment(signals),
            shown,
            order,
            project_name=self._name,
            leave_out=leave_out,
        )

    @cached_property
    def _name(self) -> str:
        return projects.project_name(self.rooms.database, self.project)

    def _moment(self, signals: Signals) -> datetime:
        return signals.at or self.now()

    def _errors(self, signals: Signals) -> tuple[ErrorReport, ...]:
        if not signals.errors:
            return ()
        from companion.signals.errors import parse_errors

        paths = self.library(signals).paths()
        return tuple(
            report for text in signals.errors for report in parse_errors(self.rooms.redactor.redact(text), paths)
        )

    def library(self, signals: Signals | None = None) -> StoreLibrary:
        """What the engine may ask for these signals (their branch, persona and moment)."""
        signals = signals or Signals()
        return StoreLibrary(
            self.rooms.database,
            self.project,
            self.checkout,
            text_index=self.rooms.text_index,
            vectors=self.rooms.vectors,
            embedder=self.rooms.embedder,
            read_lines=self._read_lines,
            branch=signals.branch or self.state.branch,
            persona=signals.persona,
            as_of=signals.at,
            readings=self.rooms.readings,
        )

    def _read_lines(self, path: str, first: int, last: int, content_hash: str) -> str:
        """Lines of a file if it still is what was indexed; secrets redacted."""
        try:
            content = self._tree().read(path)
        except SourceError:
            return ""
        if blob_id(content) != content_hash:
            return ""
        text = decoded(content)
        if any(mark in text for mark in MANY_LINES):
            text = self.rooms.redactor.redact(text, path)
        start = max(0, first - 1 - LINES_BEFORE)
        shown = self.rooms.redactor.redact("\n".join(text.splitlines()[start:last]), path).split("\n")
        return "\n".join(shown[first - 1 - start :])

    def _at_hand(self, signals: Signals) -> Signals:
        """Signals with paths inside the repository and secrets redacted, for a checkout that was read."""
        self._need_reading()
        signals = readable_signals(signals, self.rooms.redactor.redact)
        branch = self._fit(signals.branch)
        if signals.branch and not git.branch_exists(self.state, signals.branch):
            raise UsageError(f"There is no branch `{branch}`.", "See `git branch --all`.")
        return replace(
            signals,
            branch=branch,
            current_file=self._inside(signals.current_file) if signals.current_file else "",
            activity=signals.activity if signals.activity is None else Activity(signals.activity),
        )

    def _unread(self, path: str) -> str:
        """Why the file at hand is not among what was read; empty if it is."""
        if not path or path in self.library().paths():
            return ""
        rows = projects.skipped(self.rooms.database, self.checkout)
        reason = next((row.reason for row in rows if row.path == path), "")
        return f"{path} is not indexed: {reason}." if reason else f"{path} is not indexed yet: run `companion init`."

    def _need_reading(self) -> None:
        """Refuse an answer about a checkout that was never read: it would look like one about nothing."""
        if not self._was_read():
            raise UsageError(f"{self.state.root} has not been read yet.", "Run `companion init` in it first.")

    def _was_read(self) -> bool:
        """Whether a scan of this checkout ever came to its end; asked of the store until it did."""
        self._read = self._read or projects.scanned_at(self.rooms.database, self.checkout) is not None
        return self._read

    def _inside(self, given: str) -> str:
        """A path as the repository knows it, without a secret, and so are the words it is refused with."""
        try:
            return self._fit(inside(given, self.state, lambda: self.library().paths()))
        except UsageError as wrong:
            raise UsageError(self._fit(wrong.what), self._fit(wrong.next_step)) from None

    def _count_use(self, served: Sequence[str], budget_tokens: int, signals: Signals) -> None:
        """Note what was served; on a full disk the context is worth more than its being counted."""
        try:
            with self.rooms.database.write(quiet=True):  # one commit, and one wait for the disk
                usage.record(self.rooms.database, served, "retrieved", signals.current_file, self.now())
                self._note_last(budget_tokens, signals)
        except StoreUnwritable as wrong:
            self._notices.append(f"What was served could not be noted. {wrong}")

    def _note_last(self, budget_tokens: int, signals: Signals) -> None:
        """Remember what was asked, for `explain`; losing this note loses nothing else."""
        noted = {
            "budget": budget_tokens,
            "current_file": signals.current_file,
            "query": signals.query,
            "errors": list(signals.errors),
            "branch": signals.branch,
            "activity": signals.activity.value if signals.activity else None,
            "collaborators": list(signals.collaborators),
            "at": signals.at.isoformat() if signals.at else None,
        }
        projects.set_value(self.rooms.database, f"last:{self.checkout}", json.dumps(noted))

    def _last(self) -> tuple[int, Signals] | None:
        text = projects.get_value(self.rooms.database, f"last:{self.checkout}")
        if not text:
            return None
        noted = json.loads(text)
        return int(noted["budget"]), Signals(
            current_file=noted["current_file"],
            query=noted["query"],
            errors=tuple(noted["errors"]),
            branch=noted["branch"],
            activity=Activity(noted["activity"]) if noted["activity"] else None,
            collaborators=tuple(noted["collaborators"]),
            at=datetime.fromisoformat(noted["at"]) if noted["at"] else None,
        )
