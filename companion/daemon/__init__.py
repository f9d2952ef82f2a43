"""One process that owns the store: it watches, keeps the writing in order, and answers for every repository.

    process.py    being the daemon, from opening the store and the sockets to leaving nothing behind
    daemon.py     the host: companions for requests, what follows from what is asked, state, news, the end
    checkouts.py  the table of live checkouts; references.py tells when one has moved
    workplace.py  what the writer, idle runs and the team need of the daemon
    inbox.py      what waits to be written; writer.py does it
    idle_runs.py  runs that come by themselves, when nobody is here
    presence.py   who is here, and when the daemon may leave
    news.py       who listens; log.py, memory_use.py, listeners.py: the log, memory, sockets

It knows no HTTP: whoever answers for it is handed in.
"""
