"""What a store keeps, as files: lines to read back, and pages of Markdown to read; of one project, or everything.

tables.py    which tables are in an export of everything, and which are made again
exporting.py the lines
pages.py     the pages
lines.py     lines, checked against the tables
importing.py the lines read back
"""

from companion.store.everything.exporting import LINES_NAME, export, lines_in
from companion.store.everything.importing import Came, import_lines

__all__ = ["LINES_NAME", "Came", "export", "import_lines", "lines_in"]
