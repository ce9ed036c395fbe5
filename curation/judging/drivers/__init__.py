"""Programs that run inside a sandbox beside a submission: they call it, assert about it, or look at its text.

They are copied into the run's work directory and started with ``python -m drivers.NAME``; they import nothing but the
standard library and each other.
"""
