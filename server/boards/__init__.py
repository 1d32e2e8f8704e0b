"""The daily deal, ranking points, ratings and leaderboards (WIRE.md, Daily deal, leaderboards)."""
