"""Vectors of texts: the multilingual e5-small encoder, run offline from weights inside an installed package.

Nothing here may touch the database or know what the texts are about.
"""
