-- Two equal arrays that are updated stay two.
-- structure soac: replicate 2, update 2
-- ==
-- input { 2i64 } output { [1i32, 0i32] [0i32, 2i32] }
entry main (n: i64) : ([]i32, []i32) =
  let a = replicate n 0i32
  let b = replicate n 0i32
  in (a with [0] = 1, b with [1] = 2)
