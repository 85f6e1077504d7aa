"""Writing a piece or a picture to a file in the format of its suffix."""
