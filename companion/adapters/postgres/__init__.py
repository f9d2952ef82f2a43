"""PostgreSQL as a team's server: the only room that imports psycopg, which is an extra of its own (`[team]`).

`address` says how a server may be spoken to, `connection` speaks to it, `preparing` makes or upgrades its tables from
the scripts in `migrations/`, `server` is `companion.ports.TeamServer`. README.md is for who looks after the server.
"""
