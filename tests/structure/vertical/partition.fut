-- Where the ones begin is known after a first loop; the scans are made again in the second.
-- structure soac,c: loop 2, alloc 2, copies 1
-- ==
-- input { [5i32, 2i32, 7i32, 4i32, 1i32] } output { [5i32, 7i32] [2i32, 4i32, 1i32] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry main (xs: []i32) : ([]i32, []i32) = partition (> 4) xs
