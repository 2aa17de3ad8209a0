-- A direction that happens to be zero when the program runs is a number like any other: times an
-- infinite derivative it is not a number, in the interpreter as in compiled code.
-- ==
-- entry: root
-- input { 0.0 0.0 } output { f64.nan }
-- input { 0.0 1.0 } output { f64.inf }
-- input { 4.0 0.0 } output { 0.0 }
entry root (x: f64) (t: f64) = jvp f64.sqrt x t

-- ==
-- entry: logarithm
-- input { 0.0 0.0 } output { f64.nan }
-- input { 0.0 1.0 } output { f64.inf }
entry logarithm (x: f64) (t: f64) = jvp f64.log x t

-- ==
-- entry: power
-- input { 0.0 0.5 0.0 1.0 } output { f64.nan }
-- input { 0.0 2.0 0.0 1.0 } output { 0.0 }
-- input { 0.0 1.0 1.0 0.0 } output { 1.0 }
entry power (x: f64) (y: f64) (s: f64) (t: f64) = jvp (\(x, y) -> x ** y) (x, y) (s, t)

-- ==
-- entry: quotient
-- input { 1.0 0.0 1.0 0.0 } output { f64.nan }
-- input { 1.0 2.0 1.0 0.0 } output { 0.5 }
entry quotient (x: f64) (y: f64) (s: f64) (t: f64) = jvp (\(x, y) -> x / y) (x, y) (s, t)

-- ==
-- entry: absolute
-- input { 0.0 0.0 } output { 0.0 }
-- input { 0.0 1.0 } output { 0.0 }
entry absolute (x: f64) (t: f64) = jvp f64.abs x t

-- ==
-- entry: angle
-- input { 1.0 0.0 } output { f64.nan }
-- input { 0.0 2.0 } output { 2.0 }
entry angle (x: f64) (t: f64) = jvp f64.asin x t

-- ==
-- entry: length
-- input { 0.0 0.0 0.0 } output { f64.nan }
-- input { 3.0 4.0 0.0 } output { 0.0 }
entry length (x: f64) (y: f64) (t: f64) = jvp (\(x, y) -> f64.hypot x y) (x, y) (t, t)

-- ==
-- entry: rows
-- input { [1.0, 0.0] [[1.0, 0.0], [0.0, 1.0]] } output { [[0.5, f64.nan], [0.0, f64.inf]] }
entry rows (x: [2]f64) (ts: [2][2]f64) = map (jvp (map f64.sqrt) x) ts

-- ==
-- entry: back
-- input { 0.0 0.0 } output { f64.nan }
-- input { 4.0 0.0 } output { 0.0 }
entry back (x: f64) (c: f64) = vjp f64.sqrt x c

-- ==
-- entry: back_quotient
-- input { 1.0 0.0 0.0 } output { f64.nan f64.nan }
entry back_quotient (x: f64) (y: f64) (c: f64) = vjp (\(x, y) -> x / y) (x, y) c

-- Written as zero, it is none.
-- ==
-- entry: written
-- input { 0.0 2.0 } output { 3.0 }
entry written (x: f64) (y: f64) = jvp (\(x, y) -> f64.sqrt x + 3 * y) (x, y) (0, 1)
