-- Sizes that are projections, elements and calls.
def upto (p: {n: i64, m: i64}) : [p.n]i64 = iota p.n
def first (xs: []i64) : [xs[0]]i64 = iota xs[0]
def longer (xs: []i64) : [length xs + 1]i64 = iota (length xs + 1)
def atleast (n: i64) : [i64.max n 2]i64 = iota (i64.max n 2)
def same (p: {n: i64, m: i64}) = zip (upto p) (upto p)
-- ==
-- input { 3i64 } output { 3i64 3i64 4i64 3i64 3i64 }
entry main (n: i64) =
  let xs = [n, 1, 2]
  in (length (upto {n, m = 1}), length (first xs), length (longer xs), length (atleast n),
      length (same {n, m = 2}))
