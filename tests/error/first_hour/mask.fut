-- Elements chosen by a comparison.
-- at 6
-- ==
-- error: "filter \(\\x -> x > 0\) a" has the elements for which it is true\.

def f (a: []f64) = a[a > 0]
