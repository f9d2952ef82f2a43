"""`scripts/eval`: every measurement, those of `companion eval` too."""

from __future__ import annotations

import sys

import typer

from companion.errors import CompanionError
from companion.evals import command
from companion.surfaces.cli.output import print_error
from evals import commands, real_commands

app = typer.Typer(help="Measure the product.", no_args_is_help=True, pretty_exceptions_enable=False)
app.registered_commands.extend(command.app.registered_commands)
commands.register(app)
real_commands.register(app)


def main() -> int:
    """Run a measurement; an error that a person can act on is told with the next command. Returns the exit code."""
    try:
        app(prog_name="scripts/eval")
    except CompanionError as wrong:
        print_error(wrong, as_json="--json" in sys.argv)
        return wrong.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
