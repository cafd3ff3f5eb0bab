"""Signed records: every decision is on disk before it takes effect."""
