-- Another shape, as PyTorch calls it.
-- at 6
-- ==
-- error: "unflatten \(xs :> \[n \* m\]f64\)" has n rows of m elements, "flatten xss" joins the rows\.

def f (x: [6]f64) = x.view(2, 3)
