"""For assistants: the verbs as tools, resources and prompts of the Model Context Protocol.

It is a thin client of the daemon. What a memory or a file says is shown as data, in a frame it cannot leave.

    tool.py          what a tool is
    tools/           the tools, a module a family; a new one is a function and its name in ROWS
    asks.py          how a tool's arguments are read, and their schemas
    answers.py       what is answered: text in tags, and the same as values
    talk_answers.py  the same for conversations
    offers.py        resources and prompts
    folders.py       which repository a request is about
    server.py        the protocol's requests, put to the tools
    ways.py          standard input and output, or HTTP on this computer
    lines.py         lines of a client that are no messages: mended, or refused
    hook.py          what an assistant runs when a session begins and ends
    command.py       `companion mcp`, `companion hook`

Only what is named `server`, `folders`, `ways` and `lines` imports the protocol's package, which takes most of a second.
"""
