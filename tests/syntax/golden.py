"""What a parsed sample looks like as text: one line a symbol, import and reference."""

from pathlib import Path

from companion.syntax import parse


def golden(path: Path) -> str:
    """Everything but the shapes of a sample, in a form one can read and compare."""
    parsed = parse(path.name, path.read_bytes(), "hash")
    lines = [f"{parsed.language}, {parsed.role.value}, {parsed.lines} lines"]
    for symbol in parsed.symbols:
        hidden = "" if symbol.public else " (private)"
        lines.append(f"{symbol.line}-{symbol.end_line} {symbol.kind.value} {symbol.qualname}{hidden}")
        lines.append(f"    {symbol.signature}")
    lines.extend(f"{brought.line} import {brought.module} ({', '.join(brought.names)})" for brought in parsed.imports)
    for use in parsed.references:
        through = f"{use.qualifier} . " if use.qualifier else ""
        lines.append(f"{use.line} {use.kind.value} {through}{use.name}" + (f" in {use.inside}" if use.inside else ""))
    return "\n".join(lines) + "\n"
