"""Long random use of the window, and its memory."""
