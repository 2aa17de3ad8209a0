-- A scan of a scan cannot be one.
-- structure soac: screma 2, screma.scan 2
-- ==
-- input { [1i32, 2i32, 3i32] } output { [1i32, 4i32, 10i32] }
entry main (xs: []i32) : []i32 = scan (+) 0 (scan (+) 0 xs)
