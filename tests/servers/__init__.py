"""The product behind real ASGI servers."""
