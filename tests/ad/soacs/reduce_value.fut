-- The operator of the rule for free variables: a worked value.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f (w: f64) = reduce (\x y -> x + y + w * x * y) 0 [0.3, 0.5, -0.2]

entry main =
  [close 1e-12 (vjp f 0.7 1) (-0.052),
   close 1e-12 (jvp f 0.7 1) (-0.052)]
