-- The point before the function.
-- at 7
-- ==
-- error: the function comes first, not its value; the point and the seed follow: "vjp \(\\x ->

def loss (w: f64) = w * w
def g (w: f64) = vjp w loss 1
