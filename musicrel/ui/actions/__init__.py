"""Menu actions with texts, shortcuts and icons; controllers connect them."""
