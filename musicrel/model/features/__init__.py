"""Musical features of tokens: intervals, context, lookahead, logit biases by rule.

Alike for all positional schemes; independent of the attention.
"""
