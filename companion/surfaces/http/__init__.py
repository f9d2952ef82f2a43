"""The HTTP door of an owner: the verbs of `companion.api` as JSON, for every program of the same user.

`verbs.py` is the table; `asks.py` says what requests hold, `schema.py` and `openapi.py` publish it; `door.py` decides
who may come in; `app.py` and `handler.py` answer, `lanes.py` works it off, `streams.py` tells what takes time;
`serving.py` and `server.py` listen.
"""
