"""What one employer's people must never see of another's."""
