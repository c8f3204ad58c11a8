"""A PerQA of our own: invented lives, what their sources show of them, and questions with gold answers.

Built as section 4 and Appendix B of the ReQAP paper describe: questionnaire → persona → canonical events →
observables; question templates whose answers are computed on the canonical events. All of it follows from a seed.
"""
