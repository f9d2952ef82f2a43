"""What is shared with a team: made here, taken in, and as files of the repository.

checking.py  whether the server can be used, for `companion doctor`
exchange.py  memories become versions, versions of others become memories; what was withdrawn leaves every place
folder.py    one file a record, written and read
reading.py   which files are still to be read, and which were not taken in
linking.py   which server a project has, how far its log was read, how it stands with it
servers.py   a server by its URL
syncing.py   one synchronisation: pulled, then pushed
"""
