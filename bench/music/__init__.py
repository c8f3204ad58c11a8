"""An invented catalogue of music for examples/music: `generate.py` draws it, `names.py` has the parts of its names."""
