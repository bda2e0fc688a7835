"""What must hold of a published table. Nothing here imports a mechanism."""
