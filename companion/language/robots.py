"""Who writes commits and is nobody to ask: what keeps house on command, and assistants that write for people."""

from __future__ import annotations

from companion.language.phrases import says


def is_robot(name: str, address: str = "") -> bool:
    """Whether an author is a program, told by the name or by the mail address alone: `Claude` is a first name too."""
    return says(name, "written.robots") or says(address, "written.robot_addresses")
