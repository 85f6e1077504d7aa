"""Parts of all models: attention, cross-attention, key-value cache, batch-invariant layers."""
