-- A loop that writes elements works in place.
-- structure soac,c: loop 1, alloc 1, copies 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [2i32, 4i32, 5i32] }
entry main [n] (xs: [n]i32) : [n]i32 =
  loop a = copy xs for i < n do a with [i] = a[i] + a[0]
