"""Scripts that build the shipped assets and measure the shipped models.

``LOG.md`` records the experiments, ``results`` holds the figures. Nothing here is in the wheel.
"""
