-- The gradient of a function of two arguments.
-- at 8
-- ==
-- error: "grad" differentiates by one argument, which may be a tuple; others are given before:

import "/prelude/derivatives"
def loss (w: f64) (x: f64) = w * x
def g = grad loss 1.0 2.0
