"""The export: triples with their companion rows, the card, and the push to the Hub."""
