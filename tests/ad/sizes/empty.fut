-- Empty arrays in every construct.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def f [n] (x: [n]f64) =
  let e = filter (> 100) x
  let a = f64.sum e + f64.product e + f64.sum (scan (+) 0 e) + f64.sum (map f64.sin e)
  let b = f64.sum (loop c = copy e for i < length e do c with [i] = c[i] * 2)
  let h = f64.sum (hist (+) 0 3 (map (\_ -> 0) e) e)
  let s = f64.sum (scatter (copy x) (map (\_ -> 0) e) e)
  in a + b + h + s * x[0]
def g [n] (x: [n]f64) = map f64.sin x ++ scan (*) 1 x

entry main =
  [check_scalar f [0.7, -1.3, 2.1],
   vjp (\x -> f64.sum (g x)) [] 1 == [],
   length (jvp g [] []) == 0,
   vjp f64.sum [] 3 == [],
   vjp f64.product [] 3 == [],
   vjp f64.maximum [] 3 == [],
   vjp (\x -> reduce (\a b -> a + b - a * b) 0f64 x) [] 3 == [],
   length (vjp (\(m: [3][0]f64) -> f64.sum (map f64.sum m)) (replicate 3 []) 1) == 3]
