"""The guard around a function: `guard`, sessions, wrapped callables and refusals."""
