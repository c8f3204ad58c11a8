"""Looking around: the timeline, a day, people and places, events, a map, search."""
