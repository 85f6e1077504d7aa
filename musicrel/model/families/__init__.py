"""The model classes: causal, encoder-decoder, infilling, classifier, published encoder."""
