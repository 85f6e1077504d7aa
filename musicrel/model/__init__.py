"""The models: config and card, files of weights, devices, and the networks in subpackages.

Takes token ids and rows of conditions; does not depend on pieces, files of music or training.
"""
