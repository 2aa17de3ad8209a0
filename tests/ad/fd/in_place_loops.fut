-- Loops that update in place, change sizes, or end on a condition.
-- ==
-- input {} output { [true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"
-- in-place recurrences
def rec1 [n] (x: [n]f64) = loop acc = copy x for i < n-1 do acc with [i+1] = f64.sin acc[i] * acc[i+1]
def rec2 [n] (x: [n]f64) =
  let y = loop acc = copy x for i < n-1 do
    let acc = acc with [i+1] = f64.sin acc[i] * acc[i+1]
    let acc = acc with [i] = acc[i+1] * acc[i]
    in acc with [i+1] = acc[i] * acc[i+1] + x[i]
  in map2 (*) y y
def rec3 [n] (x: [n]f64) =
  loop acc = copy x for i < n do
    loop acc = acc for j < n do
      if acc[j] > acc[i] then acc with [j] = acc[i] * acc[j] else acc
def tri [n] (x: [n]f64) =
  loop acc = copy x for i < n do
    loop acc = acc for j < i do acc with [i] = acc[i] * acc[j] + 1
def pre [n] (x: [n]f64) =
  let y = map f64.sin x
  let z = map (\a -> a * a) y
  let y = loop y = copy y for i < n do y with [i] = y[i] * z[i]
  let w = map (\a -> a * a * a) y
  let y = y with [0] = w[0] * y[0]
  let y = y with [1] = y[0] * y[0]
  in map2 (*) y w
def parity [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (copy x, map f64.cos x) for i < 5 do
    if i % 2 == 0 then (a, map2 (*) a b) else (map2 (\p q -> p + f64.sin q) a b, b)
  in map2 (+) a b
def swap [n] (x: [n]f64) =
  let (a, b) = loop (a, b) = (x[0], 2) for i < 5 do (b * x[1], a * b)
  in [a, b]
def wh [n] (x: [n]f64) =
  let (a, _, ys) = loop (a, i, ys) = (x[0], 0i32, copy x) while a < 10 && i < 20 do
    (a * 1.5 + f64.sin a, i + 1, ys with [0] = ys[0] * a)
  in map (* a) ys
def grow [n] (x: [n]f64) = let ys = loop ys = [x[0]] for i < n do ys ++ map (\y -> y * x[i]) ys in [f64.sum ys]
def shrink [n] (x: [n]f64) =
  let ys = loop ys = x while length ys > 1 do map (\i -> ys[i] * ys[i+1]) (iota (length ys - 1))
  in ys
def slices [n] (x: [n]f64) =
  loop a = tabulate_2d n n (\i j -> x[i] * x[j] + 1) for i < n-1 do
    a with [i+1] = map2 (*) a[i] a[i+1]
def slices' [n] (x: [n]f64) = flatten (slices x)
entry main = [check rec1 [0.7,-1.3,2.1,0.4], check rec2 [0.7,-1.3,2.1,0.4], check rec3 [0.7,-1.3,2.1,0.4],
  check tri [0.7,-1.3,2.1,0.4], check pre [0.7,-1.3,2.1,0.4], check parity [0.7,-1.3,2.1,0.4],
  check swap [0.7,1.3], check wh [0.7,-1.3,2.1], check grow [0.7,-1.3,2.1], check slices' [0.7,-1.3,2.1]]
