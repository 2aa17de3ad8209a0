-- Let with type.
-- at 6
-- ==
-- error: Pattern y: f64 cannot match value of type i32.*use f64.i32 to convert

def f (x: i32) = let y: f64 = x in y
