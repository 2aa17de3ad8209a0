-- Fields of records, too.
-- at 6
-- ==
-- error: Unmatched cases in match expression:.*y = false

def f (r: {x: i32, y: bool}) = match r case {x = _, y = true} -> 1i32
