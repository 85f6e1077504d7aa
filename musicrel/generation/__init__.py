"""Generation of chorales: requests, constraints, sampling, and jobs that yield events.

Jobs need neither threads nor a user interface.
"""
