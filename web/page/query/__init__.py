"""SPARQL in an editor."""
