"""Figures: painted once, for the screen, PNG, SVG, PDF and print."""
