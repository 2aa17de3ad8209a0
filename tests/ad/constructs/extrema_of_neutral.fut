-- An element equal to the neutral element of a minimum or maximum is an element still: the first of
-- them gets the derivative.  There is none to get it in an empty array.
-- ==
-- input { } output { [1.0, 0.0] [1.0, 0.0] [1i32, 0i32] [3.0, 0.0] empty([0]f64) }
entry main =
  let inf = [f64.inf, f64.inf]
  in (vjp f64.minimum inf 1,
      vjp (reduce f64.max (-f64.inf)) (map f64.neg inf) 1,
      vjp i32.maximum [i32.lowest, i32.lowest] 1,
      vjp (scan f64.min f64.inf) inf [1, 2],
      vjp f64.maximum [] 1)

-- ==
-- entry: forwards
-- input { } output { 5.0 5.0 }
entry forwards =
  let inf = [f64.inf, f64.inf]
  in (jvp f64.minimum inf [5, 7], jvp f64.maximum (map f64.neg inf) [5, 7])

-- Scans in loops begin with the neutral element.
-- ==
-- entry: scans
-- input { [f64.inf, f64.inf] [1.0, 2.0] } output { [3.0, 0.0] [3.0, 0.0] }
-- input { [f64.inf, f64.inf, 4.0] [1.0, 2.0, 3.0] } output { [3.0, 0.0, 3.0] [3.0, 0.0, 3.0] }
-- input { [3.0, -f64.inf] [1.0, 2.0] } output { [1.0, 2.0] [1.0, 2.0] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry scans (xs: []f64) (s: []f64) =
  (vjp (scan f64.min f64.inf) xs s, vjp (scan f64.max (-f64.inf)) (map f64.neg xs) s)

-- Of rows, too, element by element.
-- ==
-- entry: rows
-- input { [[f64.inf, 2.0], [3.0, f64.inf], [1.0, f64.inf]] }
-- output { [[1.0, 3.0], [1.0, 0.0], [1.0, 0.0]] [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0]] [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]] }
-- input { [[f64.inf], [f64.inf]] } output { [[2.0], [0.0]] [[1.0], [0.0]] [[1.0], [1.0]] }
entry rows [n][k] (xs: [n][k]f64) =
  let ones = replicate n (replicate k 1)
  let f = scan (map2 f64.min) (replicate k f64.inf)
  in (vjp f xs ones, vjp (reduce (map2 f64.min) (replicate k f64.inf)) xs ones[0], jvp f xs ones)

-- ==
-- entry: matrices
-- input { [[[f64.inf, 2.0]], [[3.0, f64.inf]]] } output { [[[1.0, 2.0]], [[1.0, 0.0]]] }
entry matrices [n][m][k] (xs: [n][m][k]f64) =
  vjp (scan (map2 (map2 f64.min)) (replicate m (replicate k f64.inf))) xs (map (map (map (const 1))) xs)
