"""Agents as workers: each speaks a dialect over its standard input and output, and each is guarded.

`running` starts and ends an agent, `talk` hears and answers it, whatever its dialect; `channel` carries messages,
`observation` has the words for what an agent does, `notes` keep what the next attempt has to know, `judging` answers
hooks. `claude` is a dialect.
"""
