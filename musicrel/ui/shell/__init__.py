"""The main window and its own parts: card dialog and job progress."""
