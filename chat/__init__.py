"""Conversations, messages, turns and escalations, and everything a member touches."""
