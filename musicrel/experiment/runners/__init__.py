"""Runners of training runs: in this process, in child processes here, or on a cluster.

Nothing here knows what a study is: a runner gets folders of runs, whatever they belong to.
"""
