"""Do two statements hold together? What they claim, compared: pure, by rules, with a reason.

`comparing` lays two claims side by side: numbers and versions, subjects, places; `rules` weighs what differs by hand
and `learned` with a small reader; `structured` compares two facts of one slot by value alone. `faithfulness`
says what a shorter text lost of a longer one. What a text claims is read by `companion.language`, which holds all
words and the questions that a judge is asked. Every scan needs some of it, so nothing is imported here before it is
asked for.
"""
