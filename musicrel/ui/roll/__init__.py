"""The piano roll on the screen: painting, scrolling, selection, playhead, loop, locks and marks.

It draws what ``musicrel.presentation.roll`` computes; it knows neither models nor players.
"""
