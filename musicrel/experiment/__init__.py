"""Training, evaluation and comparison of models.

Recipes describe runs; data and objectives feed them; studies compare many of them.
"""
