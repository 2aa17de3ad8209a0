-- A loop that overwrites a parameter.
-- at 6
-- ==
-- error: declare the parameter unique \(with '\*'\), or consume a copy of it\.

def f (xs: []f64) = loop ys = xs for i < 3 do ys with [i] = 0.0
