-- A record with a function in it is functional.
-- at 6
-- ==
-- error: if-results may not be of function type

def f (b: bool) = if b then {g = (+ 1i32)} else {g = (* 2)}
