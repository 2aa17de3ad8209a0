-- Arrays of a few elements that a loop carries are scalars: no array, no inner loop.
-- structure soac,c: loop 1, alloc 0, copies 0, array 0, index 0
-- ==
-- input { 10i32 } output { 55i64 }
entry main (n: i32) : i64 =
  let mul (a: [2][2]i64) (b: [2][2]i64) : [2][2]i64 =
    map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a
  let m = loop m = [[1, 0], [0, 1]] for _i < n do mul m [[1, 1], [1, 0]]
  in m[0, 1]
