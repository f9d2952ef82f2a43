"""What is shared with a team: made here, taken in, and as files of the repository.

exchange.py  memories become versions, versions of others become memories; what was withdrawn leaves every place
folder.py    one file a record, written and read
"""
