"""Words that matter when statements are compared: those that say nothing, that narrow, that exclude one another."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP = _words("""
    a an the this that these those it its is are was were be been being and or of in on at to for by with from as
    into onto over under up down out off after before than then when while via per about through we you i our your
    my us they their he she has have had do does did will would can could should may might must shall not no so if
    all any each every there here now just very only : =
""")
"""Words and signs that carry no property of their own."""

ADDITIVE = _words("also too additionally another moreover plus besides well")
"""Words that add a statement to others: it takes the place of none."""

UNSETTLED = _words("""
    not never no none neither nor without cannot don't doesn't isn't aren't won't was were used formerly previously
    earlier will planned maybe perhaps might possibly if unless except until
""")
"""Words of what is denied, past, planned or conditional: it says nothing of how things stand."""

MANY_VALUED = _words("""
    us use need requir includ contain support depend import call hav like see know test add fix check note remember
    work exist provid mention
""")
"""Stems of what is true of several things at once; alone they make no property."""

NARROWING = _words("""
    replica secondary secondari backup fallback standby old legacy legaci previou former max maximum min minimum mock
    shadow canary spare second alternativ admin debug
""")
"""Stems that make a property another one where only one side has them."""

_OPPOSED = (
    "read write;request response;connect read;source target;input output;internal external;public private;"
    "start stop;client server;http grpc;http http2;own review;own approv;maintain review;review approv;deploy test;"
    "build deploy;build test;create delet;primary replica;open clos;sender receiver;upload download;"
    "publish subscrib;publish consum;produc consum;insert select;first last;soft hard;hit miss"
)
OPPOSITES = tuple(
    pair
    for left, _, right in (one.partition(" ") for one in _OPPOSED.split(";"))
    for pair in ((frozenset([left]), frozenset([right])), (frozenset([right]), frozenset([left])))
)
"""Stems of which one on either side tells two properties apart."""

_UNIT_WORDS = {
    "s": "s sec secs second seconds",
    "ms": "ms msec millisecond milliseconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "d": "d day days",
    "mb": "mb mib megabyte megabytes",
    "gb": "gb gib gigabyte gigabytes",
    "kb": "kb kib kilobyte kilobytes",
    "%": "percent",
    "times": "times",
    "rows": "row rows",
    "items": "item items entries",
}
UNITS = {word: unit for unit, words in _UNIT_WORDS.items() for word in words.split()}
"""Words that tell what a number counts, or per what, with the unit each stands for."""

_ENDINGS = ("ing", "ies", "es", "ed", "s")
_SHORTEST_STEM = 3


def stem(word: str) -> str:
    """A word without its ending, roughly: enough to see `release` in `releasing`."""
    plain = word.casefold()
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST_STEM:
            plain = plain[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    if len(plain) > _SHORTEST_STEM and plain.endswith("e"):
        plain = plain[:-1]
    if len(plain) > _SHORTEST_STEM + 1 and plain[-1] == plain[-2]:
        plain = plain[:-1]
    return plain
