-- The derivative of what fails fails: the return sweep relies on the checks of the function, also where
-- nothing needs the function's values.
-- ==
-- entry: coerced_rev coerced_map coerced_loop
-- input { [1.0, 2.0, 3.0] [4.0, 5.0, 6.0] } output { [8.0, 10.0, 12.0] }
-- input { [1.0, 2.0, 3.0] [4.0] } error: cannot match
-- input { [1.0] [4.0, 5.0, 6.0] } error: cannot match
-- input { empty([0]f64) [4.0] } error: cannot match
entry coerced_rev [n][m] (xs: [n]f64) (ct: [m]f64) : [n]f64 =
  vjp (\xs -> map (* 2) xs :> [m]f64) xs ct

entry coerced_map [n][m] (xs: [n]f64) (ct: [m]f64) : [n]f64 =
  head (vjp (map (\r -> map (* 2) r :> [m]f64)) [xs] [ct])

entry coerced_loop [n][m] (xs: [n]f64) (ct: [m]f64) : [n]f64 =
  vjp (\xs -> loop ys = replicate m 0 for _k < 2i32 do map2 (+) ys (xs :> [m]f64)) xs ct

-- ==
-- entry: indexed gathered in_loop in_branch in_nest updated sliced counted
-- input { 0i64 [1.0, 2.0, 3.0] }
-- input { 4i64 [1.0, 2.0, 3.0] } error: out of bounds
-- input { 1099511627776i64 [1.0, 2.0, 3.0] } error: out of bounds
-- input { -1i64 [1.0, 2.0, 3.0] } error: out of bounds
entry indexed [n] (i: i64) (xs: [n]f64) = vjp (\(xs: [n]f64) -> xs[i]) xs 1

entry gathered [n] (i: i64) (xs: [n]f64) =
  vjp (\(xs: [n]f64) -> f64.sum (map (\k -> xs[k]) [0, i])) xs 1

entry in_loop [n] (i: i64) (xs: [n]f64) =
  vjp (\(xs: [n]f64) -> loop s = 0 for k < n do s + xs[i + k]) xs 1

entry in_branch [n] (i: i64) (xs: [n]f64) =
  vjp (\(xs: [n]f64) -> if n > 2 then xs[i] else xs[1]) xs 1

entry in_nest [n] (i: i64) (xs: [n]f64) =
  vjp (\(xs: [n]f64) -> map (\x -> loop s = x for k < n do s + xs[if k == 2 then i else k]) xs) xs xs

entry updated [n] (i: i64) (xs: [n]f64) =
  vjp (\(xs: [n]f64) -> copy xs with [i] = xs[0] * 3) xs xs

entry sliced [n] (i: i64) (xs: [n]f64) =
  vjp (\(xs: [n]f64) -> xs[i:i + 2] :> [2]f64) xs [1, 2]

entry counted [n] (i: i64) (xs: [n]f64) =
  let (_, r) = vjp2 (\(xs: [n]f64) -> (loop (s, k) = (0, i) while k < i + 1 do (s + xs[k], k + 1)).0) xs 1
  in r

-- A check of the program itself.
-- ==
-- entry: asserted
-- input { 2i64 [1.0, 2.0, 3.0] }
-- input { 3i64 [1.0, 2.0, 3.0] } error: Assertion is false
entry asserted [n] (i: i64) (xs: [n]f64) = vjp (\(xs: [n]f64) -> assert (i < n) (2 * xs[0])) xs 1
