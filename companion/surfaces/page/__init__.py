"""The local page: what a person sees of memory in a browser, served by the daemon while somebody looks.

    opening.py    a second loopback listener, opened when a page is first asked for, and the link to it
    keys.py       a ticket in the link, good once, becomes a session
    page_access.py  who may come in, and what a browser may do with what it gets
    app.py        addresses: a room's page, its parts, its deeds
    room.py       what a room is: functions of a companion and an ask to a view
    rooms/        a module a room
    graph.py      a memory, the files it is about and the commits behind them, in columns
    rendering.py  views to HTML; everything that is said is data
    static.py     styles and scripts, and the two libraries that others wrote

Rooms ask `companion.api.Companion` and nothing else; the JSON API is not reachable here. Nothing is loaded before a
page is asked for, nothing is polled by one, and an open page does not keep the daemon.
"""
