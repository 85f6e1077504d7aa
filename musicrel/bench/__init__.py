"""The parts of ``musicrel bench``: each measures one capability and returns rows of the table."""
