"""Everything a store keeps, as files: one of lines to read back, and pages of Markdown to read.

tables.py    which tables are in it, and which are made again
writing.py   the lines
pages.py     the pages
reading.py   the lines read back
"""

from companion.store.everything.exporting import LINES_NAME, export_everything, lines_in
from companion.store.everything.importing import Came, import_everything, is_everything

__all__ = ["LINES_NAME", "Came", "export_everything", "import_everything", "is_everything", "lines_in"]
