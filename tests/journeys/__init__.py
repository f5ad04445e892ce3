"""What members need, tried through the whole product: real corpus, real encoder, real Postgres and Valkey."""
