-- The weighted sums of all rows are a product of matrices, but the loop over the rows adds up what is
-- made of them and cannot be taken apart.  They stay where they are, all of them, and then rows
-- run in vectors, a strip at a time; half taken out, each row would have a loop and an array for them.
-- ==
-- input { [[1.0, 2.0], [0.5, -1.0]] [0.25, 0.5] 2i64 [0.5, -0.5, 0.25, 1.0, 0.0, 0.1, 1.0, 2.0] }
-- output { 1.4615758168216426 }

-- structure sequential,c: loop 10, scratch 3

def unpack (i: i64) (h: i64) (p: []f64) : ([h][i]f64, [h]f64, [h]f64) =
  (unflatten (p[0:h * i] :> [h * i]f64), p[h * i:h * i + h] :> [h]f64, p[h * i + h:h * i + 2 * h] :> [h]f64)

entry main [m] [i] [n] (xs: [m][i]f64) (ys: [m]f64) (hidden: i64) (p: [n]f64) : f64 =
  let (w, b, o) = unpack i hidden p
  let net x = f64.sum (map3 (\r c v -> v * f64.tanh (c + f64.sum (map2 (*) r x))) w b o)
  in f64.sum (map2 (\x y -> (net x - y) ** 2) xs ys) / f64.i64 m
