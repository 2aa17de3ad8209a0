-- Layers whose weights lie in one array, for a batch of rows that goes through them in strips: what the lanes of a
-- strip add to the weights of a layer is a product of matrices, in which the state of a lane, a slice of what was
-- kept of the strip, is read by row numbers.  What is left are the accumulators of the entry, none of a row of weights.
-- structure sequential: withacc 3, upd_acc 3
-- structure sequential: screma.reduce 10
-- depth sequential: withacc 3
-- ==
-- input { 19i64 3i64 2i64 } output { true }
-- input { 16i64 1i64 3i64 } output { true }
-- input { 33i64 2i64 0i64 } output { true }
def value [n] [d] [l] (xs: [n][d]f64) (w: [l][d][d]f64) : f64 =
  let row x = loop h = x for i < l do map2 (\r e -> e + f64.tanh (f64.sum (map2 (*) r h))) w[i] h
  in f64.sum (map (\x -> f64.sum (row x)) xs)

def weights (l: i64) (d: i64) (c: f64) : [l][d][d]f64 =
  tabulate_3d l d d (\i j k -> f64.sin (c * f64.i64 (1 + i + 3 * j + 5 * k)))

-- Along any direction the derivative is that of forward mode.
entry main (n: i64) (d: i64) (l: i64) : bool =
  let xs = tabulate_2d n d (\i j -> f64.cos (f64.i64 (i + 7 * j)))
  let w = weights l d 1
  let along = weights l d 2
  let there = jvp (value xs) w along
  let back = f64.sum (map2 (*) (flatten_3d (vjp (value xs) w 1)) (flatten_3d along))
  in f64.abs (there - back) <= 1e-10 * f64.max 1 (f64.abs there)
