-- Windows of one size over an array.
-- at 6
-- ==
-- error: if "i \+ k - i" is the same number for all of them, say so: "\(\\i -> xs\[i:i \+ k\] :> \[k\]f64\)"

def f [n] (xs: [n]f64) (k: i64) = map (\i -> xs[i:i + k]) (iota (n - k + 1))
