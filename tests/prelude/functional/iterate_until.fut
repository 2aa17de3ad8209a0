-- Applying a function until and while a predicate holds.
-- ==
-- input { 1 } output { 128 64 }
-- input { 200 } output { 200 200 }
entry main (x: i32) = (iterate_until (> 100) (* 2) x, iterate_while (< 50) (* 2) x)
