"""Controllers: objects that connect the window to jobs, files and the player.

A controller reacts to signals of widgets and of other controllers; it does not paint.
"""
