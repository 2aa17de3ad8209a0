-- Where the largest element first is.
entry main [n] (xs: [n]f32) : i64 =
  let larger (a, i) (b, j) = if b > a || (a == b && j < i) then (b, j) else (a, i)
  in (reduce larger (-f32.inf, n) (zip xs (iota n))).1
