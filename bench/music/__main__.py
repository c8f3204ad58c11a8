"""`python -m reqap_kg.bench.music DIR`."""

from .generate import main

main()
