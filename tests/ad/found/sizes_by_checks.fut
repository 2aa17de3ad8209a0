-- Sizes of an array that a check or a loop alone ties to those of its rows: the adjoint has the sizes
-- of the array, as the others are known only inside of the function that is mapped.

-- ==
-- entry: mapped sine totals scanned summed counted_max counted_product scattered general
-- input { [2i64, 2i64] [[1f64, 2f64, 3f64, 4f64], [0.5f64, 1f64, -1f64, 2f64]] [1f64, 2f64] }
-- output { true }

def agrees [m][n] (f: [m]i64 -> [m][n]f64 -> [m]f64) (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  let g = vjp (f is) x d
  let at i j = f64.sum (map2 (*) d (jvp (f is) x (tabulate_2d m n (\a b -> f64.bool (a == i && b == j)))))
  in and (flatten (tabulate_2d m n (\i j -> f64.abs (g[i, j] - at i j) < 1e-9)))

def product_of_sines [k] (s: [k]f64) : f64 = f64.sum (map2 (*) s (map f64.sin s))

entry mapped [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in product_of_sines (r :> [k]f64))) is x d
entry sine [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (map f64.sin (r :> [k]f64)) * f64.sum (map f64.exp r))) is x d
entry totals [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (r :> [k]f64))) is x d
entry scanned [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (scan (+) 0 (r :> [k]f64)) * f64.sum (scan (*) 1 (r :> [k]f64)))) is x d
entry summed [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (reduce_by_index [1, 2, 3] (+) 0 (iota k) (r :> [k]f64)))) is x d
entry counted_max [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (reduce_by_index [1.5, 1.7, 2] f64.max 0 (iota k) (r :> [k]f64)))) is x d
entry counted_product [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (reduce_by_index [1, 2, 3] (*) 1 (iota k) (r :> [k]f64)))) is x d
entry scattered [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in f64.sum (scatter [1, 2, 3] (iota k) (r :> [k]f64)))) is x d
entry general [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let k = i * i in reduce (\a b -> a + b + a * b) 0 (r :> [k]f64)
                                         + f64.sum (filter (> 0) (r :> [k]f64)))) is x d

-- Loops that change sizes begin with a row.
-- ==
-- entry: shorter shorter_while
-- input { [2i64, 1i64] [[1f64, 2f64, 3f64, 4f64], [0.5f64, 1f64, -1f64, 2f64]] [1f64, 2f64] }
-- output { true }

entry shorter [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\i r -> let s = loop (s: []f64) = r for _j < i do s[1:] in f64.sum (map f64.sin s))) is x d
entry shorter_while [m][n] (is: [m]i64) (x: [m][n]f64) (d: [m]f64) : bool =
  agrees (map2 (\_ r -> let s = loop (s: []f64) = r while f64.sum s > 1 do map f64.cos s[1:]
                        in f64.sum (map f64.sin s))) is x d

-- The derivative of a derivative: what is written to a part has the adjoint of that part.
-- ==
-- entry: part
-- input { [0.5f64, 1f64, 2f64] }
-- output { true }

entry part [n] (x: [n]f64) : bool =
  let f x = f64.sum (map f64.sin (flatten (map (\_ -> (x ++ x)[::2] :> [n]f64) (iota 2))))
  let d = map (+ 0.3) x
  let g = vjp (\x -> vjp f x 1) x d
  in and (map3 (\g d x -> f64.abs (g + 2 * d * f64.sin x) < 1e-9) g d x)
