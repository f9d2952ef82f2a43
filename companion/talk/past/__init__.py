"""What was said before, made short enough to be handed on, and still in the words it was said in.

`hidden` leaves out reasoning that nobody was meant to read. `looking_back` tells whether a message points backwards.
`gist` makes a sentence of a turn, `sampling` leaves turns out of a long conversation, `handing` fills a budget with
what is left and renders it. `condensing` makes a block of older turns, by the user's `instructions`; `summing` sums up
a few turns, a session, everything. All of it is pure and needs no model; `rewording` asks one for better words and
takes them only if nothing is lost.
"""
