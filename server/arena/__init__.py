"""Matches between players without a server: paired deals, whole games, win rates with their intervals."""
