-- Results joined.
-- at 6
-- ==
-- error: "flatten \(map f xs\)" joins results of one size\.

def f (a: []f64) = concatMap (\x -> [x, x]) a
