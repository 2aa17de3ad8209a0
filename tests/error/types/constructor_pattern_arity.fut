-- A pattern with too many payloads.
-- at 6
-- ==
-- error: Pattern #a y z cannot match value of type #a i32

def f (x: #a i32) = match x case #a y z -> y + z
