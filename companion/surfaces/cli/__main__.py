"""Where the program starts: the quick way where that will do, else the whole command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line."""
    try:
        from companion.surfaces.cli.quick import answered

        if answered(sys.argv[1:]):
            return
        if sys.argv[1:2] in (["run"], ["record"]):
            from companion.surfaces.cli.record import taken

            if (code := taken(sys.argv[1:])) is not None:
                raise SystemExit(code)
        from companion.surfaces.cli.main import main as whole
    except KeyboardInterrupt:  # stopped before it began: nothing to tell
        raise SystemExit(130) from None
    whole()


if __name__ == "__main__":
    main()
