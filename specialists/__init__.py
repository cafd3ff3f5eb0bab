"""The specialists: `<family>/<id>.py`, one for each entry of the taxonomy. The catalogue finds them by their files."""
