"""The only door to language models: two roles, a chain of providers each, typed requests and answers."""
