"""What keeps agents working. So far its lowest part: `processes`."""
