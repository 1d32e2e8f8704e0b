"""The Rummy 500 server."""
