"""Guidance of a search: the discriminator between Bach and a causal model, fitted."""
