"""Small edits of a student's own syntax tree: after one that makes wrong code right, its place is the mistake's.

Program repair for introductory courses works in this way: Singh, Gulwani and Solar-Lezama, "Automated feedback
generation for introductory programming assignments", PLDI 2013.
"""
