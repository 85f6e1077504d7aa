"""Paired comparisons of two ways to generate, on the same requests and seeds."""
