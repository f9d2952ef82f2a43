"""Dockerfiles and compose files: what the project runs in and beside."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.statement import Reader, Statement, Statements
from companion.records import FileSeen

MAX_SERVICES = 12
"""Services of one compose file that become facts."""

_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<name>\S+))?", re.IGNORECASE)
_EXPOSE = re.compile(r"^\s*+EXPOSE\s++(?P<ports>[\d/a-z][\d/a-z ]*+)$", re.IGNORECASE)


def read(file: FileSeen) -> Statements:
    """Facts of one container file."""
    name = PurePosixPath(file.path).name.lower()
    if "compose" in name:
        root = yaml(file.text)
        if root is not None:
            yield from _compose(root, file.path)
    else:
        yield from _dockerfile(file.text, PurePosixPath(file.path).name)


def _dockerfile(text: str, name: str) -> Statements:
    stages: dict[str, str] = {}
    last: tuple[str, int] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if found := _FROM.match(line):
            image = stages.get(found["image"].lower(), found["image"])
            stages[(found["name"] or f"stage {number}").lower()] = image
            if image != "scratch" and "$" not in image:
                last = (image, number)
        elif ports := _EXPOSE.match(line):
            value = " ".join(ports["ports"].split())
            says = f"The container ({name}) listens on port {value}."
            yield Statement(s.PROJECT, f"container_ports {name}", value, says, number)
    if last is not None:
        says = f"The container ({name}) is built on `{last[0]}`."
        yield Statement(s.PROJECT, f"container_image {name}", last[0], says, last[1])


def _compose(root: Node, path: str) -> Statements:
    name = PurePosixPath(path).name
    for service, table in list((root.at("services") or Node(1, {})).fields().items())[:MAX_SERVICES]:
        image, ports = table.at("image"), table.at("ports")
        if image is not None and image.text and "$" not in image.text:
            says = f"The service `{service}` runs the image `{image.text}` ({name})."
            yield Statement(s.PROJECT, f"service {service} {name}", image.text, says, image.line)
        elif ports is not None and ports.texts():
            value = ", ".join(ports.texts())
            says = f"The service `{service}` is reached on {value} ({name})."
            yield Statement(s.PROJECT, f"service_ports {service} {name}", value, says, ports.line)


READER = Reader(
    "containers",
    ("Dockerfile", "Containerfile", "docker-compose*.yml", "docker-compose*.yaml", "compose.yml", "compose.yaml"),
    read,
)
