-- Gradients of loops of threads that add to the same elements in each step: the copy of a block has a column
-- for each thread, if there is room, in which no update is atomic.
-- structure soac,gpu: loop.blocks 13, loop.threads 42, loop.atomic 10
-- ==
-- entry: right
-- input { 4i64 20000i64 } output { true }
-- input { 3i64 1000i64 } output { true }
-- input { 60i64 300i64 } output { true }
-- input { 2i64 1i64 } output { true }
-- input { 2i64 0i64 } output { true }
def value [n][b] (w: [n][n]f64) (us: [b]f64) : f64 =
  let settle u =
    let (z, _, _) =
      loop (z, moved, i) = (replicate n 0, 1f64, 0i64) while moved > 1e-7 && i < 60 do
        let next = map (\r -> f64.tanh (u + f64.sum (map2 (*) r z))) w
        in (next, f64.maximum (map2 (\x y -> f64.abs (x - y)) z next), i + 1)
    in f64.sum z
  in f64.sum (map settle us)

entry gradient [n][b] (w: [n][n]f64) (us: [b]f64) : [n][n]f64 = vjp (\w -> value w us) w 1

entry right (n: i64) (b: i64) : bool =
  let w = tabulate_2d n n (\i j -> f64.sin (f64.i64 (i * 7 + j)) * 0.5 / f64.i64 n)
  let us = tabulate b (\i -> f64.cos (f64.i64 i))
  let dw = tabulate_2d n n (\i j -> f64.cos (f64.i64 (i + 3 * j)))
  let got = f64.sum (map2 (*) (flatten (gradient w us)) (flatten dw))
  let want = jvp (\w -> value w us) w dw
  in f64.abs (got - want) <= 1e-9 * (1 + f64.abs want)
