-- Nor is that of a parameter's rows.
-- ==
-- error: scope
def f [n] (yss: [n][]i32) =
  let (w, _) = (3i64, 1i32)
  in map (\ys -> i32.sum (map2 (*) (iota w |> map i32.i64) ys)) yss
