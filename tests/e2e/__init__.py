"""The reference client in a real browser, against a real server."""
