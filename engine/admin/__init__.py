"""What is done with a store besides asking: status, forgetting, checks, repair, the operators alone.

In: a store. Out: what it holds, or what is wrong with it. Begin with `manage.py`.
"""
