-- Grad.
-- at 7
-- ==
-- error: import "/prelude/derivatives"

def f (x: f64) = x * x
entry main (x: f64) = grad f x
