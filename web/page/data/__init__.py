"""What the store holds: import, sources, derivations, the doctor, rules and maps."""
