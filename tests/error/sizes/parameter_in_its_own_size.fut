-- The size of a parameter cannot be found out from the parameter itself.
-- at 6 7 8
-- ==
-- error: Cannot link size "d.*" to "length xs" \(scope violation\)

def direct (xs: []i32) = zip xs (iota (length xs))
def named (xs: []i32) = let k = length xs in zip xs (iota k)
def component (p: {n: i64, xs: []i32}) = zip p.xs (iota p.n)
