-- An inner name of a parameter in another parameter.
-- ==
-- error: not be accessible to the caller
def g {p: i64, q: i64} (v: [q]f32) = (p, v)
