"""A discriminator between Bach and a model, which weighs the particles of a search."""
