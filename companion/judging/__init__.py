"""Do two statements hold together? What they claim, compared: pure, by rules, with a reason."""
