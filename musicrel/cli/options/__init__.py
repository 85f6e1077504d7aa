"""Arguments that several commands share, and the values built from them."""
