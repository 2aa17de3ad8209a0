-- Sizes that are literals have to have the same value.
-- at 6
-- ==
-- error: Sizes "1" and "2i64" do not match

def f : [1]i64 = iota 2i64
