-- Field misspelt.
-- at 7
-- ==
-- error: Unknown field "mas".*did you mean "mass"

type body = {mass: f64, pos: f64}
def f (b: body) = b.mas
