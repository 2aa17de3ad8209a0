-- Loops whose arrays change their shape.
-- ==
-- input { } output { [true, true, true, true, true, true, true] }
import "lib/agree"

-- Grows by one element in each iteration.
def grow [n] (x: [n]f64) : f64 =
  let ys = loop ys: []f64 = [x[0]] for i < 20i64 do ys ++ [last ys * x[i % n] + ys[i / 2]]
  in f64.sum (map2 (*) ys (indices ys |> map (\i -> f64.cos (f64.i64 i))))
-- Shrinks as elements become small.
def shrink [n] (x: [n]f64) : f64 =
  let (_, s) =
    loop (ys: []f64, s) = (x, 0) while length ys > 0 do
      let kept = filter (\y -> y > 0.5) ys
      in (map (\y -> y * 0.8 * (1 + 0.1 * f64.sin y)) kept, s + f64.sum (map (\y -> y * y) kept))
  in s
-- Halves, with a table of two dimensions.
def halve [n] (x: [n]f64) : f64 =
  let t =
    loop t: [][]f64 = tabulate_2d 8 3 (\i j -> x[(i + j) % n] + f64.i64 i)
    for _k < 3i32 do
      let m = length t / 2
      in tabulate_2d m 3 (\i j -> t[2 * i, j] * t[2 * i + 1, (j + 1) % 3] * 0.1)
  in f64.sum t[0]
-- Never entered; entered with an empty array.
def never [n] (x: [n]f64) : f64 =
  f64.sum (loop ys: []f64 = x for _i < 0i32 do ys ++ ys)
def from_empty [n] (x: [n]f64) : f64 =
  let ys = loop ys: []f64 = [] for i < n do ys ++ map (* x[i]) (ys ++ [x[i]])
  in f64.sum ys

entry main =
  let x = [1.3, 0.7, 0.9, 1.6]
  in [ agree grow x, agree shrink x, agree halve x, agree never x
     , agree from_empty x, agree_second grow [0.8, 0.9], agree_second shrink [1.3, 0.9] ]
