"""Incremental decoding with a key-value cache, optionally captured as a CUDA graph.

Does not sample: the result of a step are logits.
"""
