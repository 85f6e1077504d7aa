"""Data sets and training batches: chorales, folders of pieces, bytes, masks.

Batches are a function of seed and step, so that a resumed run needs no stored data state. No module
here depends on a model.
"""
