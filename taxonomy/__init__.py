"""The published taxonomy: `<family>/<id>.yaml`, one for each known way in which agents fail."""
