"""The pieces of two models, A and B: where they differ, as words, table and drawing."""
