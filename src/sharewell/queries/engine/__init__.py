"""What the algorithms of this kind of data stand on."""
