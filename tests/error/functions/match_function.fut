-- A match may not give a function.
-- at 6
-- ==
-- error: match-results may not be of function type

def f (x: i32) = match x case 0 -> (+ 1i32) case _ -> (* 2i32)
