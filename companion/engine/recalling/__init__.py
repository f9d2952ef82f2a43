"""Which memories matter now: asked for in sets, ranked, placed, and made into candidates."""
