-- Concat, rotate, transpose, flatten, unflatten, replicate, reverse, split, take, drop.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "lib/fd"

def f [n] (x: [n]f64) = rotate 2 x ++ reverse (map f64.sin x) ++ take 2 x ++ drop 3 x
def mats [n] (x: [n]f64) =
  let m : [3][2]f64 = unflatten (x[:6] :> [3 * 2]f64)
  let t = transpose m
  let a = flatten (map2 (map2 (*)) (transpose t) m)
  let b = flatten (map (rotate (-1)) t)
  in a ++ b
def reps [n] (x: [n]f64) =
  let r = replicate 3 (x[0] * x[1])
  let s = replicate 2 x
  in r ++ flatten (map2 (\k v -> map (* f64.i64 k) v) (iota 2) s)
def halves [n] (x: [n]f64) =
  let (a, b) = split (x[:6] :> [3 + 3]f64)
  in map2 (*) a b
def zips [n] (x: [n]f64) =
  let (a, b, c) = unzip3 (zip3 x (reverse x) (map f64.exp x))
  in map3 (\a b c -> a * b + c) a b c
def x6 = [0.7, -1.3, 2.1, 0.4, -0.6, 1.9]

entry main =
  [check f [0.7, -1.3, 2.1, 0.4, -0.6],
   check mats x6,
   check reps x6,
   check halves x6,
   check zips x6,
   check (\x -> [head x * last x] ++ tail x ++ init x) x6]
