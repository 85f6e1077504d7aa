"""The window for screen readers: painted notes and curves as items, and announcements."""
