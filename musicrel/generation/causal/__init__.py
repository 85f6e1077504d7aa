"""Generation from left to right: batched decoding with a KV cache, and a search with particles."""
