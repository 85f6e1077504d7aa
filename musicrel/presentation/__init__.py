"""Texts, tables, forms and drawings for people, as plain data.

The command line, reports and the app share them. Knows neither Qt nor how models compute.
"""
