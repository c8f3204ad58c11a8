"""What was streamed: Spotify and Netflix.

In: an export's files. Out: a record for each play. Begin with `spotify.py`.
"""
