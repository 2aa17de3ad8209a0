-- Recursion on a shorter array.
-- at 6
-- ==
-- error: a recursive function names its sizes, which may then differ from call to call: "def f \[n\] \(xs: \[n\]f64\) \.\.\."\.

def f (xs: []f64) : f64 = if length xs == 0 then 0 else xs[0] + f xs[1:]
