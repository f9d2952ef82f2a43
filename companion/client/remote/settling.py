"""What contradicts what, asked of an owner."""

from __future__ import annotations

from companion.api import Verdict
from companion.client.remote.asker import Asker, optional, result_of
from companion.records import Contradiction, Ruling, Superseded


class Settling(Asker):
    """See `companion.api.settling.Settling` for the verbs."""

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first; `settled` adds those that were settled."""
        return result_of(tuple[Contradiction, ...], self._read("/contradictions", settled=settled))

    def judge_again(self, id_: str) -> Ruling:
        """What the judges say of a contradiction now."""
        return result_of(Ruling, self._slow("/judge-again", id=id_))

    def superseded(self, limit: int = 50) -> tuple[Superseded, ...]:
        """What newer statements of the same source took the place of, newest first."""
        return result_of(tuple[Superseded, ...], self._read("/superseded", limit=limit))

    def unsettle(self, id_: str) -> Contradiction:
        """Take back how a contradiction was settled."""
        return result_of(Contradiction, self._write("/unsettle", id=id_))

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says."""
        from urllib.parse import quote

        said = self._write(
            f"/contradictions/{quote(id_, safe='')}/resolve",
            resolution=verdict.resolution.value,
            note=verdict.note,
            scopes={"a": optional(verdict.scope_a), "b": optional(verdict.scope_b)},
            merged=verdict.merged,
        )
        return result_of(Contradiction, said)
