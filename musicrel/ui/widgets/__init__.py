"""Widgets and styles that all pages share."""
