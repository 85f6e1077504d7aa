"""Small builders shared by tests: music, models, recipes, and the schemes' formulas written out."""
