"""Statistics of attention heads: musical patterns, rank correlations, random sets of heads."""
