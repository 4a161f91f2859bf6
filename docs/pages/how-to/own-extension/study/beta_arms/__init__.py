"""Many arms with Beta rewards."""
