-- The length of an array is not its size parameter.
-- at 6
-- ==
-- error: Sizes "n" and "length xs" do not match

def e3 [n] (xs: [n]i32) : [n]i64 = iota (length xs)
