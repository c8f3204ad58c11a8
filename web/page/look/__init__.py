"""Looking around: the timeline, a day, people and places, events, a map, search.

In: addresses that a person can keep. Out: pages, read beside the engine's work. Begin in `routes.py`: it has the
pages of events, search and the map; `timeline_pages.py` and `thing_pages.py` have the others. What all of them know
of the data stands in `life.py`, one event as a page shows it in `events.py`, a day put together in `day.py`, kinds of
people, places and things in `kinds.py`.
"""
