"""Who asks: tenants, users, and the two values that carry identity through the product."""
