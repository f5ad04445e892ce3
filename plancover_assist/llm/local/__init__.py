"""The offline model: deterministic and extractive. It quotes its prompt's sources and adds nothing."""
