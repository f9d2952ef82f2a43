"""What a conversation meant: decisions, tasks, questions and the rest, read by rules from what was really said.

Pure, and without a model. `echo` leaves out what we ourselves put into the talk, `spoken` what is pasted; `sentences`
makes clauses of the rest and `stance` says which of them are meant; a module a sort of item (`decisions`, `tasks`,
`waiting`, `questions`, `blockers`, `priorities`, `people`, `insights`) reads a clause; `dialogue` follows who agreed
to what and who took it back. Of the items come `settling`, `routing`, `narrative`; `anchors` says what stays verbatim.
What was not said is not remembered: where a rule is in doubt, there is no item.
`consulted/` is what a model may add, where one is set up: the rules' finds come first, and its words are checked.
`past/` makes what was said short enough to be handed on: history, summaries, the running array.
"""
