"""Reading Indian English, Hindi and Hinglish text: words, sentences, language, numbers, dates, identifiers.

Pure functions over strings. Nothing here may touch the database, Django or the network.
"""
