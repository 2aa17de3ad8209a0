-- The last element of a scan is what it ends with.
-- structure soac,c: loop 1, alloc 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { 6i32 }
entry main [n] (xs: [n]i32) : i32 =
  let s = scan (+) 0 xs
  in if n == 0 then 0 else s[n - 1]
