"""What a command puts where others read it, and protections that it switches off."""
