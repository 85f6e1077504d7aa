"""Probes: small experiments that detect faults of a model, and a diagnosis that runs them all."""
