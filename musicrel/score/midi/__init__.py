"""MIDI files: parser, reader, writer, and the metadata that MIDI events cannot express."""
