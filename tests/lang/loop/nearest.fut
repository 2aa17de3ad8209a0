-- The nearest row: ties go to the first, what is infinitely far is nearer than nothing, and what is no
-- number is never chosen.
def distance [d] (p: [d]f64) (q: [d]f64) = f64.sum (map2 (\a b -> (a - b) * (a - b)) p q)

def choose [k] (better: f64 -> f64 -> bool) (start: f64) (xs: [k]f64) : (f64, i64) =
  let pick (a, i) (b, j) = if better b a || (a == b && j < i) then (b, j) else (a, i)
  in reduce pick (start, k) (zip xs (iota k))

entry nearest [k][d] (rows: [k][d]f64) (p: [d]f64) : (f64, i64) =
  choose (<) f64.inf (map (distance p) rows)

entry farthest [k][d] (rows: [k][d]f64) (p: [d]f64) : (f64, i64) =
  choose (>) (-f64.inf) (map (distance p) rows)

-- Zeros have signs: one over it tells which of the two was taken.
entry least_zero [k][d] (rows: [k][d]f64) (p: [d]f64) : (f64, i64) =
  let (x, i) = choose (<) 0 (map (\r -> f64.neg (distance p r)) rows)
  in (1 / x, i)

-- ==
-- entry: nearest
-- input { [[1.0, 1.0], [0.0, 2.0], [2.0, 0.0], [0.5, 0.5]] [1.0, 2.0] } output { 1.0 0i64 }
-- input { [[f64.inf, 1.0], [f64.inf, 2.0]] [1.0, 2.0] } output { f64.inf 0i64 }
-- input { [[f64.nan, 1.0], [f64.inf, 2.0], [f64.inf, 2.0]] [1.0, 2.0] } output { f64.inf 1i64 }
-- input { [[f64.nan, 1.0], [f64.nan, 2.0]] [1.0, 2.0] } output { f64.inf 2i64 }
-- input { [[f64.inf, 1.0], [3.0, 2.0], [3.0, 2.0], [1.0, 3.0], [1.0, 1.0]] [1.0, 2.0] } output { 1.0 3i64 }

-- ==
-- entry: farthest
-- input { [[1.0, 1.0], [0.0, 2.0], [2.0, 0.0], [0.0, 0.0]] [1.0, 2.0] } output { 5.0 2i64 }
-- input { [[f64.nan, 1.0], [1.0, 2.0], [1.0, 2.0]] [1.0, 2.0] } output { 0.0 1i64 }

-- ==
-- entry: least_zero
-- input { [[1.0, 2.0], [1.0, 2.0]] [1.0, 2.0] } output { -f64.inf 0i64 }
-- input { [[1.0, 2.0], [1.0, 3.0]] [1.0, 2.0] } output { -1.0 1i64 }
