"""The load generator of `bench.tables`: lean clients, games that play themselves, baselines, and what is measured."""
