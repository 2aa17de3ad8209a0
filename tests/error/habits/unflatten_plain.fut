-- A size that is no product.
-- at 6
-- ==
-- error: "unflatten \(xs :> \[n \* m\]t\)" has n rows

def f (xs: [10]f64) : [2][5]f64 = unflatten xs
