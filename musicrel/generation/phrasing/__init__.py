"""Phrases as a plan, and the statistics of those of the training chorales."""
