"""One module a node; a node maps (state, runtime) to state and imports no other node."""
