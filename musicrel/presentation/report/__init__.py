"""Reports of studies: their parts as plain data, written as HTML, Markdown and CSV."""
