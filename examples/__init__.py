"""Examples that ship: the demo life and domains of other kinds, each a folder."""
