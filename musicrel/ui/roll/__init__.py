"""The piano roll on the screen: painting, scrolling, selection, playhead, loop, locks and marks.

It knows neither models nor players.
"""
