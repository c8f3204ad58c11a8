"""`reqap-kg domain new`: a whole domain drafted from tables, for its author to edit.

In: files or databases. Out: a folder with `domain.ttl`, ontology, maps, example questions that work, and what was
guessed and why. Begin with `draft.py`: tables (`inputs.py`) → what columns hold (`profile.py`) → keys and links
(`keys.py`) → what they mean (`roles.py`, `properties.py`, `levels.py`, by the words of `names.py`) → Turtle
(`written.py`, `maps.py`) → questions, asked and compared with a direct computation (`questions.py`, `trying.py`).
"""
