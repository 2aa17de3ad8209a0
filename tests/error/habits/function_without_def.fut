-- A function without a word.
-- at 6
-- ==
-- error: a definition begins with "def": "def f\(x\) = \.\.\."

f(x) = x + 1
