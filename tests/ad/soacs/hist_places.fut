-- Histograms in recursive functions, loops, branches and operators; numbers of other types.
import "../fd/lib/fd"
def x9 : [9]f64 = [0.7, -1.3, 2.1, 0.4, -0.6, 1.1, 0.9, -0.2, 0.5]
-- flags among the components
def a1 [n] (x: [n]f64) : [3]f64 =
  hist (\(f, a) (g, b) -> (f || g, if g then (if f then a * b else b) else a)) (false, 1) 3 (map (% 3) (iota n)) (map (\v -> (v > 0, v)) x) |> map (.1)
-- in a recursive function
def rec (k: i64) (x: [4]f64) : [4]f64 = if k == 0 then x else rec (k - 1) (reduce_by_index (map f64.sin x) (*) 1 [0, 1, 1, 7] (map (+ 1) x))
def a2 (x: [4]f64) : [4]f64 = rec 3 x
-- in a while loop, with sizes that change
def a3 [n] (x: [n]f64) : [1]f64 =
  let (h, _) = loop (h, k) = (replicate 3 1, 1i64) while k < n && f64.sum h < 50 do
    (reduce_by_index h (\a b -> if f64.abs a < f64.abs b then b else a) 0 (map (% 3) (iota k)) (map (* h[0]) x[:k]), k + 1)
  in [f64.sum h]
-- rows with an operator of their own
def a4 [n] (x: [n]f64) : [4]f64 =
  reduce_by_index (replicate 2 [1, 0]) (\a b -> [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]) [1, 0] (map (% 3) (iota n)) (map (\v -> [v, v + 1]) x) |> flatten :> [4]f64
-- in a branch, consumed after
def a5 [n] (x: [n]f64) : [3]f64 =
  let h = if x[0] > 0 then hist (*) 1 3 (map (% 4) (iota n)) x else replicate 3 x[1]
  let h[0] = h[1] * h[2]
  in h
-- one inside of the other
def a6 [n] (x: [n]f64) : [3]f64 =
  let h = hist (*) 1 3 (map (% 3) (iota n)) x
  in hist f64.max (-100) 3 (map (\v -> i64.f64 (f64.abs v) % 3) h) (map (* 2) h)

entry main = [check a1 x9, check a2 [0.3, 0.2, -0.4, 0.1], check a3 x9, check a4 x9, check a5 x9, check a6 x9]
entry hess = [check_hessian (\x -> f64.sum (a2 x)) [0.3, 0.2, -0.4, 0.1], check_hessian (\x -> f64.sum (a4 x)) (take 4 x9), check_hessian (\x -> f64.sum (a3 x)) (take 4 x9), check_hessian (\x -> f64.sum (a5 x)) (take 5 x9)]

-- ==
-- entry: main
-- input { } output { [true,true,true,true,true,true] }

-- ==
-- entry: hess
-- input { } output { [true,true,true,true] }

-- ==
-- entry: ints
-- input { [2i64, 3i64, 4i64, 0i64] } output { [4i64, 0i64, 2i64, 3i64] }
entry ints (x: [4]i64) = vjp (\y -> hist (*) 1i64 2 [0, 1, 0, 1] y) x [1, 1]

-- ==
-- entry: halves
-- input { [2f16, 3f16, 4f16, 0f16] } output { [4f16, 0f16, 2f16, 3f16] }
entry halves (x: [4]f16) = vjp (\y -> hist (*) 1f16 2 [0, 1, 0, 1] y) x [1, 1]

-- ==
-- entry: under
-- input { } output { [true, true, true] }
entry under = let g = vjp (\y -> hist (*) 1f64 1 [0, 0, 0] y) [1e-200, 1e-200, 1e200] [1] in map2 (close 1e-9) g [1, 1, 0]
