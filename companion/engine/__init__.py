"""Pure functions from an ask to an explained context; `now` is an argument."""
