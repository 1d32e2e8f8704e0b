"""The ports of the inner packages made real: Postgres, Redis, and the launcher of the embedded pair."""
