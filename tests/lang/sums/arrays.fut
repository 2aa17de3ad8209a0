-- Arrays of sums.
type opt = #some i32 | #none
-- ==
-- input { [1, -2, 3] } output { [1, 0, 3] 2i64 }
entry main (xs: []i32) =
  let os = map (\x : opt -> if x > 0 then #some x else #none) xs
  in (map (\o -> match o case #some x -> x case #none -> 0) os,
      length (filter (\o -> match o case #some _ -> true case #none -> false) os))
