"""Effects of heads, voices and earlier notes on a note, as plain data to draw."""
