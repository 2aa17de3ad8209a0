-- A truth value is missing.
-- at 6
-- ==
-- error: Unmatched cases in match expression:.*false

def f (x: bool) = match x case true -> 1i32
