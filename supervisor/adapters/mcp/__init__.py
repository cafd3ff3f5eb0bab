"""The Model Context Protocol: a guard between a client and any server, on the level of JSON-RPC messages.

What it does not look at passes as the bytes that came, so nothing is lost of what it does not know.
"""
