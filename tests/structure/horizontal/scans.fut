-- Two scans over one array.
-- structure soac: screma 1, screma.scan 1
-- structure soac,c: loop 1, alloc 2
-- ==
-- input { [1i32, 2i32, 3i32] } output { [1i32, 3i32, 6i32] [1i32, 2i32, 3i32] }
entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) = (scan (+) 0 xs, scan i32.max 0 xs)
