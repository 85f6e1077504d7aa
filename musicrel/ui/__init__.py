"""The desktop app (PySide6): a window with the pages Compose, Attention and Experiment."""
