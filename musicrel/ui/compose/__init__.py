"""The Compose page: form, candidates, rewrite controls and the dialog for harmonising."""
