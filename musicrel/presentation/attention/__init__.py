"""Attention and surprisal of a model over a piece: records, maps, arcs, colours and drawings."""
