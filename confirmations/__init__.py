"""The member's recorded yes or no to one call."""
