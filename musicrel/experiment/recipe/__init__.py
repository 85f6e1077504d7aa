"""Recipes: all values that determine a training run, as TOML, with their defaults and checks."""
