-- What a kernel adds to an accumulator is gathered instead, and what it depends on is computed again: an array among
-- this has the size of the copy, not that of the kernel's.
-- structure soac,gpu: screma 0
-- ==
-- input { [1f64, 2f64] [0.5f64, 0.25f64, 0.75f64] } output { [0f64, 0f64] [-2.0539313436475832f64, 7.148037115395017f64, 1.7333976620069338f64] }
def f [n][m] (_: [n]f64, z: [m]f64) : [n]f64 =
  let few = (n + 5) / (n + 4) + 1
  let rows = loop (_r: *[few][n]f64) = replicate few (replicate n 0.5) for j < 3i32 do
    let next = replicate few (replicate n 0.5)
    in next with [0] = map (\e -> (*) (reduce_comm (\a b -> a + b + 0.1 * a * b) 0 (map f64.tanh z))
                                      (1.5 + f64.sin (f64.sum (loop (a: []f64) = [z[j]] for _i < n % 4 + 1 do
                                                                 a ++ [e]))))
                           (replicate n z[0])
  in map (\j -> rows[0, j]) (iota n)

entry main [n][m] (x: [n]f64) (z: [m]f64) = vjp f (x, z) x
