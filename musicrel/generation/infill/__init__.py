"""Generation with an infill model: a first filling block by block, then blocked Gibbs sampling."""
