-- Checks that are left are told of; those the optimiser sees through are not.
-- ==
-- input { [1, 2, 3] 2i64 } output { 3 6 }
-- warning: safety_checks.fut:8:.*Safety check required at run-time

def total [n] (xs: [n]i32) =
  #[warn(safety_checks)] loop s = 0 for i < n do s + xs[i]
def at (xs: []i32) (i: i64) = #[warn(safety_checks)] xs[i]
entry main (xs: []i32) (i: i64) = (at xs i, total xs)
