"""Measurements. They print; nothing is asserted, because machines differ."""
