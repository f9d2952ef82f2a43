"""One process that owns the store: it watches, keeps the writing in order, and answers for every repository.

    house.py      being the owner, from opening the store and the sockets to leaving nothing behind
    owner.py      the host: companions for requests, state, news, the end
    hosted.py     a companion as a client gets it
    checkouts.py  the table of live checkouts; references.py tells when one has moved
    inbox.py      what waits to be written; writer.py does it
    watching.py   what a watcher sees becomes a refresh
    runs.py     runs that come by themselves, when nobody is here
    presence.py   who is here, and when the owner may leave
    news.py       who listens; log.py, memory_use.py, places.py: the log, memory, sockets

It knows no HTTP: whoever answers for it is handed in.
"""
