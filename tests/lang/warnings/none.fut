-- Nothing to warn of: underscores, type names, sizes, fields.
-- ==
-- input { [1, 2] } output { 2i64 3 }
entry main [n] (xs: [n]i32) =
  let (_unused, {a, b = _}) = (1i32, {a = xs[0], b = true})
  let f (_: i32) = a
  in (n, f 1 + loop s = 0 for _i < n do s + 1)
