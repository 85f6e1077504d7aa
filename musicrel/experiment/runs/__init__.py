"""Run folders: event log, checkpoints, writer lock, requests to a run, and child processes."""
