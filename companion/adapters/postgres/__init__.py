"""PostgreSQL as a team's server: the only room that imports psycopg, which is an extra of its own (`[team]`).

`connection` says how a server may be spoken to and does so, `preparing` makes or upgrades its tables from
the scripts in `migrations/`, `server` is `companion.ports.TeamServer`. README.md is for who looks after the server.
"""
