"""Runs the questions: `python -m reqap_kg.bench.domains`."""

from __future__ import annotations

from . import main

main()
