-- An array of another shape.
-- at 6
-- ==
-- error: "unflatten \(xs :> \[n \* m\]f64\)" has n rows of m elements, "flatten xss" joins the

def f (a: []f64) = a.reshape(2, 3)
