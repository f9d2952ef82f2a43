"""The HTTP listener of the daemon: the verbs of `companion.api` as JSON, for every program of the same user.

`verbs.py` is the table; `asks.py` says what requests hold, `schema.py` and `openapi.py` publish it; `access.py` decides
who may come in; `app.py` and `handler.py` answer, `lanes.py` works it off, `streams.py` tells what takes time;
`serving.py` and `server.py` listen.
"""
