-- Functions with existential results, through lifted type parameters.
def ap '^a '^b (f: a -> b) (x: a) : b = f x
-- ==
-- input { [3i64, 0i64, 5i64] }
-- output { [4i64, 6i64] [3i64, 5i64] [0i64, 1i64] [3i64, 5i64] 2i64 }
entry main (xs: []i64) =
  let positive = filter (> 0)
  in ( xs |> filter (> 0) |> map (+ 1)
     , ap positive xs
     , (length >-> iota) (filter (> 0) xs)
     , (|> filter (> 0)) xs
     , xs |> (map (+ 1) >-> filter (> 1)) |> length
     )
