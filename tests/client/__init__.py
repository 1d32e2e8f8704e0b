"""Tests of the JavaScript client that run in Node."""
