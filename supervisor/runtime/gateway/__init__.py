"""A gateway on loopback between workers and the providers of models: it holds the API keys, counts, and stops.

`providers` knows where the keys of each provider stand in the environment of a worker, and what a worker gets instead.
`usage` reads what a response has cost, `forwarding` passes requests on, and `server` is the process's one gateway.
"""
