-- Cases of different sizes.
-- ==
-- input { 0 } output { [0i64] }
-- input { 1 } output { [0i64, 1i64] }
-- input { 2 } output { empty([0]i64) }
entry main (x: i32) = match x case 0 -> iota 1 case 1 -> iota 2 case _ -> iota 0
