"""What a conversation meant: decisions, tasks, questions and the rest, from what was really said.

Pure. `language.sentences` makes clauses of what somebody wrote themselves; `hearing` says what each does in its place
(decides, weighs, asks, agrees, promises), as the small model that comes with the product hears it; `items` makes of it
what is left behind, in its own words; `course` follows who agreed to what, what replaced it, who took it back. Of the
items come `settling`, `routing`, `narrative`; `anchors` says what stays verbatim.
`consulted/` is what a language model may add, where one is set up: what was heard comes first, its words are checked.
`past/` makes what was said short enough to be handed on: history, summaries, the running array.
"""
