"""Documents, chunks, index generations and the search over them; it cannot see members."""
