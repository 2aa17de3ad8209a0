-- Functions and projections in sizes.
def g (xs: [i64.max 3 4]i32) : [i64.max 3 4]i32 = map (+ 1) xs
def h (f: i64 -> i64) (xs: [f 3]i64) : [f 3]i64 = xs
def total [n] (reps: [n]i64) : [i64.sum reps]i64 = replicate (i64.sum reps) 1
def next (x: i64) = x + 1
-- ==
-- input { } output { [2, 3, 4, 5] 4i64 6i64 }
entry main = (g ([1, 2, 3, 4] :> [i64.max 3 4]i32), length (h next (iota (next 3))),
              length (total [1, 2, 3]))
