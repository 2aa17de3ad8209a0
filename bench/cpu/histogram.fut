entry main [n] (k: i64) (xs: [n]i64) : [k]i32 = hist (+) 0 k xs (replicate n 1)
