"""English as it is read: sentences, clauses and requests, what they claim, amounts, dates, names and versions.

The only room that knows words. Its lists stand in `data/*.toml` and are loaded by `word_lists`; phrases of them are
found by `phrases`, and by their stems in statements by `lexicon`. `judge`, `talk`, `kinds` and `reason` ask it.
"""
