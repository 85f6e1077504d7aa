"""The command line: ``commands`` has a file for each command, ``options`` what several share.

``main`` finds the command, ``output`` prints. Nothing here knows of the app.
"""
