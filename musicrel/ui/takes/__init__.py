"""The strip of takes: every piece of the document with its thumbnail, rating, name and origin."""
