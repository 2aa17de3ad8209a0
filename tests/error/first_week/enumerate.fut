-- Elements with their indices.
-- at 6
-- ==
-- error: "zip \(indices xs\) xs" gives each element its index\.

def f (a: []f64) = map (\(i, x) -> x * f64.i64 i) (enumerate a)
