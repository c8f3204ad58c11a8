"""Questions and conversations: the answer, how it was read, and why."""
