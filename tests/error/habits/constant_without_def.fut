-- A definition without a word.
-- at 6
-- ==
-- error: a definition begins with "def": "def x = \.\.\."

x = 3
