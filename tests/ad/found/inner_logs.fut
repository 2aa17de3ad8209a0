-- Twice back: the inner loop changes an adjoint of the outer one as a whole, and keeps conditions of
-- its own for the way back.
-- ==
-- entry: main
-- input { [1.1, 0.7, 1.3] } output { true }
def f [n] (x: [n]f64) : f64 =
  f64.sum (loop (a: *[n]f64) = copy x for j < 6 do
    let s = loop s = x[0] for _k < 3 do
      (reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0)
         (zip (reduce_by_index (copy a) (*) 1 (map (\i -> (5 * i) % (n + 1)) (iota n)) x)
              (iterate 3 (\a -> map2 (\q r -> 0.4 * q + 0.5 * f64.sin r) a (rotate 1 a)) a))).0 + s
    in a with [j % n] = f64.tanh s)

def near (a: f64) (b: f64) : bool = f64.abs (a - b) < 1e-5 * (1 + f64.abs b)

entry main [n] (x: [n]f64) : bool =
  let d = map f64.cos x
  let back = vjp (\p -> vjp f p 1) x d
  let ahead = jvp (\p -> vjp f p 1) x d
  in and (map2 near back ahead)
