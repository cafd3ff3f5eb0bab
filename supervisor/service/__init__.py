"""The daemon: one process that decides for many agents, over a Unix socket and loopback HTTP. See docs/daemon.md."""
