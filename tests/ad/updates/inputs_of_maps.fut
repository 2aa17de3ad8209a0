-- What a map reads is overwritten before its results are folded, or while a histogram takes them
-- in: the fold reads the results, it does not compute them again.
-- ==
-- entry: folded in_bins in_bins_twice
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6] } output { true }
-- input { [0.3, 0.9, 0.2] } output { true }

def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let g = vjp f x 1
  let d = map (\i -> jvp f x (map (\j -> f64.bool (i == j)) (iota n))) (iota n)
  in and (map2 (\a b -> f64.abs (a - b) <= 1e-10 * (1 + f64.abs a)) g d)

entry folded [n] (x: [n]f64) = agree (\x ->
  f64.sum (loop a = copy x for i < 3i64 do
    let ys = map (\v -> v * v + 0.1) a
    let a[i] = ys[i] * a[0]
    let a[0] = a[1] * 2
    let (p, q) = reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip ys ys)
    let s = scan (\a b -> a * b + a + b) 0 ys
    in map2 (\u v -> u * p + 0.1 * q * f64.sin v) a s)) x

def bins [n] (x: [n]f64) : f64 =
  f64.sum (loop a = copy x for i < 2i64 do
    reduce_by_index a (\u v -> u + v + u * v) 0 (map (\j -> (j + i) % (n + 1)) (iota n))
                    (map2 (\u v -> u * v + 0.3) a x))

entry in_bins [n] (x: [n]f64) = agree bins x

entry in_bins_twice [n] (x: [n]f64) = agree (\x -> jvp (\x ->
  f64.sum (loop a = copy x for i < 2i64 do
    reduce_by_index a f64.min f64.inf (map (\j -> (j + i) % (n + 1)) (iota n))
                    (map2 (\u v -> u * v + 0.3) a x))) x x) x
