"""MusicXML files, plain and compressed: a bounded parser, reader and writer."""
