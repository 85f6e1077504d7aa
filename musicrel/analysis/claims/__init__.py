"""Measures behind the claims about relative attention in chorales, and their intervals."""
