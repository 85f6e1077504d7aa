"""Pictures of takes, and the differences between a take and the piece it was made from."""
