-- Short-circuiting logic.
-- ==
-- input { [1, 2] 5i64 } output { false true }
entry main (xs: []i32) (i: i64) = (i < length xs && xs[i] > 0, i >= length xs || xs[i] > 0)

-- ==
-- entry: sections
-- input { true false } output { false true }
entry sections (a: bool) (b: bool) = ((&&) a b, (||) a b)
