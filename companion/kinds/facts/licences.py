"""Licence files: which licence their text is."""

from __future__ import annotations

import re

from companion.kinds.facts.located import Node

HEAD_CHARS = 4_000
"""Where a licence's own words stand: later parts quote other licences."""

_TEXTS: tuple[tuple[str, str], ...] = (
    (r"Apache License,?\s+Version 2\.0", "Apache-2.0"),
    (r"GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3", "AGPL-3.0"),
    (r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3", "LGPL-3.0"),
    (r"GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1", "LGPL-2.1"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version 3", "GPL-3.0"),
    (r"GNU GENERAL PUBLIC LICENSE\s+Version 2", "GPL-2.0"),
    (r"Mozilla Public License,?\s+(?:Version|v\.?)\s*2\.0", "MPL-2.0"),
    (
        r"Permission to use, copy, modify, and(?:/or)? distribute this software for any\s+purpose with or without fee",
        "ISC",
    ),
    (r"Permission is hereby granted, free of charge, to any\s+person obtaining a copy", "MIT"),
    (r"Redistribution and use in source and binary forms[\s\S]*?Neither the name", "BSD-3-Clause"),
    (r"Redistribution and use in source and binary forms", "BSD-2-Clause"),
    (r"This is free and unencumbered software released into the public domain", "Unlicense"),
)
"""Words that only one licence has, in the order they must be asked for."""


_OF_A_PART = re.compile(r"\bderived from\b|\bportions of\b|^see licen[sc]e-", re.IGNORECASE)
"""Before a licence's words: it is that of something the project took over, or stands in another file."""


def licence_of(text: str) -> Node | None:
    """The licence that a text is, where it stands; None for that of a part or of somebody else."""
    head = text[:HEAD_CHARS]
    for pattern, spdx in _TEXTS:
        if found := re.search(pattern.replace(" ", r"\s+"), head, re.IGNORECASE):
            before = head[: found.start()]
            return None if _OF_A_PART.search(before) else Node(before.count("\n") + 1, spdx)
    return None
