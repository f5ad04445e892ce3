"""The words that models are given, as plain text files and the code that fills them."""
