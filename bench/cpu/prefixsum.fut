entry main [n] (xs: [n]i64) : [n]i64 = scan (+) 0 xs
