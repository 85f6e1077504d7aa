"""The piano roll on the screen: painting, scrolling, selection, playhead, loop, locks, marks."""
