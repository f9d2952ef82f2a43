"""What a team shares, as this store has it.

records.py  the records: which are known, made here, sent; what arrives is taken in
showing.py  the memories of this store that say what is current among them
verdicts.py what judges said of pairs of them
"""
