"""Tests of CPU players as a service."""
