"""The Attention page: map, heads and shares of attention, cached analyses, and the diagnosis."""
