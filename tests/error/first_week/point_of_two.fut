-- The components of the point as arguments.
-- at 7
-- ==
-- error: the point is one argument, a tuple: "vjp loss \(w, b\) 1"\.

def loss (w: f64, b: f64) = w * b
entry main (w: f64) (b: f64) = vjp loss w b 1
