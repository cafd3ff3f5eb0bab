"""Measurements. They print results and assert nothing, because machines differ."""
