-- A map before a scan goes along.
-- structure soac: screma 1, screma.scan 1
-- structure soac,c: loop 1, alloc 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [3i32, 9i32, 18i32] }
entry main (xs: []i32) : []i32 = scan (+) 0 (map (* 3) xs)
