-- Reverse mode as PyTorch writes it.
-- at 6
-- ==
-- error: "vjp f x 1" is the gradient of f at x

def f (x: f64) = (x * x).backward()
