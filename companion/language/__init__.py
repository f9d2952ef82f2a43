"""English as it is read: sentences, clauses and requests, what they claim, amounts, dates, names and bounds.

The only room that knows words. Its lists stand in `data/*.toml` and are loaded by `word_lists`; `judge`, `talk`,
`kinds` and `reason` ask it.
"""
