"""The permission boundary to the member's own record and actions."""
