"""Evidence: what a project says about itself, cut into passages that can be found. Pure: texts in, passages out."""

from companion.evidence.commits import cut_commit
from companion.evidence.cutting import VERSION, cut_file

__all__ = ["VERSION", "cut_commit", "cut_file"]
