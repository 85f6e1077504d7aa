"""Reports in one file: their parts as plain data, and as HTML and CSV."""
