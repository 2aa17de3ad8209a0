-- A match with a bar.
-- at 6
-- ==
-- error: each case of a match starts with "case"

def f (x: i32) = match x | 1 -> 2 | _ -> 3
