"""The document of a window with its undo stack, the messages to the user, the preferences.

Views show it, controllers change it. It knows no widget.
"""
