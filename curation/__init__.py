"""Builds and audits data sets of math and code problems with verifiable answers."""
