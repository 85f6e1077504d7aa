"""The model classes: causal, encoder-decoder, infilling, classifier, critic, published encoder."""
