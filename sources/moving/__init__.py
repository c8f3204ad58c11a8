"""What trackers record: workouts, days with their steps, nights, weights.

In: exports of Strava, Garmin, Fitbit, Google Fit and Apple Health, and the files that devices write (GPX, TCX, FIT).
Out: records that `mappings/moving.ttl` (Apple's workouts: `apple_health.ttl`) maps. Begin with `record.py`, which says
what such a record has, then `strava.py`.
"""
