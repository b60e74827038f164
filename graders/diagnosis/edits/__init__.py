"""Small edits of a student's own syntax tree: where one makes wrong code right, the code is wrong.

Automated repair of programs in introductory courses works in this way: Singh, Gulwani and Solar-Lezama,
"Automated feedback generation for introductory programming assignments", PLDI 2013.
"""
