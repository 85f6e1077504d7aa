"""The list of installed models, and how models are imported and removed."""
