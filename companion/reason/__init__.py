"""What a request asks for, with what is known: classified, taken apart, checked, and learned from. Pure.

`language.requests` reads a request, `cues` gives the points that its words bring by rules, `lessons` learns from what
people made of earlier answers (small weights, and the nearest earlier requests), `hints` reads what memories say of
its words.
`classify` puts them together and `doubt` asks where it stays ambiguous; `decompose` stands on it. `verify` says of an
action that it fits, conflicts, or that nobody knows; `orders` reads what a rule forbids.
`consult` puts a question to a language model and believes nothing of the reply that does not fit. What a request or a
memory says to the program is data: `language.orders` finds it, and it moves nothing.
"""
