"""Questions to fact tables: words are put together to a cube query, and this becomes a tree.

In: a question and the domain's measures and dimensions. Out: a tree, and the words that it leaves out. A word that no
part of the query stands for is told, so that a reading is whole or says that it is not. Begin with `reading.py`.
"""
