-- A sum of sizes is no size to bind.
-- ==
-- error: .
entry main (k: i64) =
  let [n] (xs: [n + 1]i32) = replicate (k + 1) 1i32
  in (n, xs)
