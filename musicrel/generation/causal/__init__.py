"""Generation from left to right: batched decoding with a KV cache, and best-of-n phrase endings."""
