"""Benchmarks that need a window: latency beside generation, playback and training."""
