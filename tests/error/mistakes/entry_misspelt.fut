-- Entry misspelt.
-- at 6
-- ==
-- error: did you mean "entry"

entyr main (x: i32) = x
