-- Literals of all kinds.
-- ==
-- input { 0 } output { 10 }
-- input { -1 } output { 20 }
-- input { 7 } output { 30 }
entry main (x: i32) : i32 = match x case 0 -> 10 case -1 -> 20 case _ -> 30

-- ==
-- entry: floats
-- input { -0.0 } output { 1 }
-- input { f64.nan } output { 0 }
entry floats (x: f64) : i32 = match x case 0.0 -> 1 case _ -> 0
