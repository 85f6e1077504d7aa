"""Examination: how well classifiers distinguish pieces from Bach's, by two sets of features.

Set G guides decisions, set R only reports; ``features`` lists which feature is in which.
"""
