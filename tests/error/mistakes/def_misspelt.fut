-- Def misspelt.
-- at 6
-- ==
-- error: did you mean "def"

deff f x = x + 1
