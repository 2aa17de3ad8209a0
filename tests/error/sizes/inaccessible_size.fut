-- A size names a component of a tuple parameter.
-- at 6
-- ==
-- error: refers to size "q", which will not be accessible to the caller

def g (p: i64, q: i64) (v: [q]f32) = p
