-- Field unknown.
-- at 7
-- ==
-- error: Unknown field "weight".*its fields are mass, pos

type body = {mass: f64, pos: f64}
def f (b: body) = b.weight
