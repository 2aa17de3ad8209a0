-- Constants are not added in sizes.
-- at 6
-- ==
-- error: Sizes "4" and "2 . 2" do not match

def e2 : [4]i64 = iota (2 + 2)
