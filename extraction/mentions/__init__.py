"""Event mentions: films, purchases and workouts that only a text tells of.

In: texts. Out: events of their own in a derivation, once each. Begin with `event_mentions.py`, then
`derived_events.py`.
"""
