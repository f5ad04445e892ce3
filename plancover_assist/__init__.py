"""PlanCover Assist: an assistant for members of employer health cover."""
