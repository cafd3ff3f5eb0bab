"""What strangers may send, and that nothing but the documented answers comes back."""
