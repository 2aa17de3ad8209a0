-- Rows that a nest of equal quotients leaves over: the nest gives the sizes inside of the map other
-- names, which the copy of it for these rows has not.
-- ==
-- input { [0.7, -1.3, 2.1, 0.4, -0.6] [1.0, 0.5, -0.3, 0.8, 0.2] } output { true }
import "../fd/lib/fd"

def f [n] (x: [n]f64) : [n]f64 =
  map2 (\i s -> f64.sum (scan (*) 1 (take (i % 4) x)) * s) (iota n) (scan (+) 0 x)

entry main [n] (x: [n]f64) (d: [n]f64) =
  let reverse = vjp (\y -> vjp f y d) x d
  in and (map2 (close 1e-9) reverse (jvp (\y -> vjp f y d) x d))
