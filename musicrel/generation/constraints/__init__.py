"""Legal notes: locked cells, hard rules, and their masks of tokens.

The package knows cells and tokens; it does not depend on models.
"""
