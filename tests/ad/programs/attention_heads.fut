-- Scaled products of queries and keys, in two heads.
-- ==
-- input { } output { [true] }
import "../fd/lib/fd"

def softmax [n] (x: [n]f64) = let m = f64.maximum x let e = map (\v -> f64.exp (v - m)) x in map (/ f64.sum e) e
def head [n][d] (q: [n][d]f64) (k: [n][d]f64) (v: [n][d]f64) =
  map (\q -> let w = softmax (map (\k -> f64.sum (map2 (*) q k) / f64.sqrt (f64.i64 d)) k)
             in map (\c -> f64.sum (map2 (*) w c)) (transpose v)) q
def f (x: [12]f64) =
  let m = unflatten (x :> [3 * 4]f64)
  let part i = map (\r -> map (\j -> r[2 * i + j]) (iota 2)) m
  let a = part 0 let b = part 1
  in flatten (head a b a) ++ flatten (head b a (head a a b))

entry main =
  [check f (map (\i -> f64.sin (3.1 * f64.i64 i)) (iota 12))]
