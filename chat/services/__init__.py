"""Writes of conversations and turns: plain sync functions, one transaction each."""
