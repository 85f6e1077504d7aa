"""Jobs in threads of their own: generation, preloading of models and garbage collection."""
