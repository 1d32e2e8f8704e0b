"""Tests of the launcher, the settings, the command line and dev.py."""
