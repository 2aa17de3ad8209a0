-- The sum does not depend on the element.
-- structure soac: screma 2, screma.reduce 1
-- depth soac: screma.reduce 0
-- ==
-- input { [1i32, 2i32] [10i32, 20i32] } output { [31i32, 32i32] }
entry main (xs: []i32) (ys: []i32) : []i32 = map (\x -> x + i32.sum ys) xs
