"""Check of a device: every shipped model reads, writes and trains there as torch does on a CPU."""
