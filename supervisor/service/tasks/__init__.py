"""Tasks of the runtime, for programs over HTTP and WebSocket, and for the pages of the console.

`board` is what both see and change: without secrets, and with a person's answers told from a program's requests.
`bodies` are the values of requests and answers, `routes` what is done with them, `openapi` their description for
programs. `events` tells what has changed, `app` decides who may ask, `running` serves it on a port of this machine.
"""
