-- What the caller gives away is changed in place.
-- structure soac,c: loop 1, alloc 0, copies 0
-- ==
-- input { [1i32, 2i32, 3i32] } output { [2i32, 3i32, 4i32] }
entry main [n] (xs: *[n]i32) : *[n]i32 = loop xs for i < n do xs with [i] = xs[i] + 1
