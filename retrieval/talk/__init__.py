"""Talk: the messages of a chat that speak of something, ranked by what they say.

In: a query and lists of messages. Out: as many of them as deserve it, as a derivation. Begin with `said_about` in
`messages.py`.
"""
