"""Drawings as plain data, painted as SVG and as PNG."""
