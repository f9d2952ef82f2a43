"""`scripts/eval`: every measurement, those of `companion eval` too."""

from __future__ import annotations

import sys

from companion.errors import CompanionError
from companion.evals import command
from companion.surfaces.cli.declared import CommandGroup
from companion.surfaces.cli.output import print_error
from companion.surfaces.cli.typed import command_of
from evals import commands, real_commands

app = CommandGroup("Measure the product.")
app.commands |= command.app.commands
commands.register(app)
real_commands.register(app)


def main() -> int:
    """Run a measurement; an error that a person can act on is told with the next command. Returns the exit code."""
    try:
        command_of("eval", app).main(prog_name="scripts/eval")
    except CompanionError as wrong:
        print_error(wrong, as_json="--json" in sys.argv)
        return wrong.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
