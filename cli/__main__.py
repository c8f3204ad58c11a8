"""`python -m reqap_kg.cli` is `reqap-kg`."""

from . import main

main()
