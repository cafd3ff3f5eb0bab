"""The Model Context Protocol: a guard between a client and any server, on the level of JSON-RPC messages.

A message that it need not read passes byte for byte, so extensions of the protocol keep working.
"""
