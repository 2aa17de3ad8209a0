-- Functions with sizes that depend on parameters, as values and fields.
-- ==
-- entry: main
-- input { 2i64 3i64 } output { 6i64 6i64 6i64 }

-- ==
-- entry: flds
-- input {} output { 6 3 2i64 }

-- ==
-- entry: par
-- input { 3i64 } output { [0i64, 1i64, 2i64] [0i64,0i64,0i64] }
def grid (w: i64) (h: i64) (v: i64) = tabulate_2d w h (\i j -> i * h + j + v)
def g1 = uncurry grid
def g2 = \(p: (i64, i64)) -> grid p.0 p.1
def g3 = flip grid
entry main (w: i64) (h: i64) = (length (flatten (g1 (w, h) 0)), length (flatten (g2 (w, h) 0)), length (flatten (g3 h w 0)))
type^ op = {f: (n: i64) -> [n]i32 -> i32}
def a : op = {f = \n (xs: [n]i32) -> i32.sum xs}
def b : op = let f _ xs = i32.i64 (length xs) in {f}
def run (o: op) = o.f 3 [1,2,3]
def lens (k: (n: i64) -> [n]i32 -> i64) = k 2 [1,2]
entry flds = (run a, run b, let h n xs = n + length xs * 0 in lens h)
entry par (n: i64) =
  let mk (f: (k: i64) -> [k]i64) = f n
  in (mk iota, mk (\k -> replicate k 0))
