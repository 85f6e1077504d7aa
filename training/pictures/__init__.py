"""Pictures of the guides, drawn from bundled models and pieces."""
