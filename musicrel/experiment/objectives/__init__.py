"""Training objectives by model family, and the evaluation of models on splits."""
