-- Local functions.
-- ==
-- input { 3 } output { 10 [4, 5] }
entry main (x: i32) =
  let add y = x + y
  let twice (f: i32 -> i32) (y: i32) : i32 = f (f y)
  in (twice add 4, map add [1, 2])
