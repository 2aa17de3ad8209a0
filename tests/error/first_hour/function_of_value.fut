-- A value where the function to be differentiated belongs.
-- at 7
-- ==
-- error: the function comes first, not its value; the point and the seed follow: "vjp \(\\x ->

def loss (w: f64) (x: f64) = w * x
def g (w: f64) (x: f64) = vjp (loss w x) 1
