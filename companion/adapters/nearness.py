"""From when on two texts are near: a cosine means something else in every model, so each has figures of its own.

`same` is the figure of document C, `related` a judgement that no measurement bears out yet.
`merge` is above which all of 45 pairs of short statements lie that were written to say the same in other words; as
many pairs that differ in a number, an environment or a "not" lie above it, so it only proposes.
Whoever adds a model measures these and adds a line.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.records import Nearness

UNKNOWN = Nearness(same=0.95, related=0.75)
"""For a model that nobody calibrated: cautious, so that nothing is proposed that a look would not bear out."""

CALIBRATED: Mapping[str, Nearness] = {
    "all-MiniLM-L6-v2": Nearness(same=0.92, related=0.62, merge=0.80, asked=0.45),
}
"""By the beginning of a model's name: exports of the same weights differ by less than a hundredth."""


def nearness_of(model: str) -> Nearness:
    """The figures of a model, by its name and checksum."""
    return next((found for name, found in CALIBRATED.items() if model.startswith(name)), UNKNOWN)
