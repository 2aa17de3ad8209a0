-- A map goes into a scan; what is made of the scan stays apart.
-- structure soac: screma 2, screma.scan 1, screma.map 1
-- ==
-- input { [1i32, 2i32, 3i32] } output { [3i32, 7i32, 13i32] }
entry main (xs: []i32) : []i32 = map (+ 1) (scan (+) 0 (map (* 2) xs))
