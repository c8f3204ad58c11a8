"""Templates: answers in words, shapes of queries, prompts."""
