-- The number of an argument.
-- at 8
-- ==
-- error: "grad" differentiates by one argument, which may be a tuple; others are given before: "grad \(\\w -> f w x\) w"\.

import "/prelude/derivatives"
def f (x: f64) (y: f64) = x * y
def g (x: f64) = grad f 0 x
