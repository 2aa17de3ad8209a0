-- A suffixed literal is another size.
-- at 6
-- ==
-- error: Sizes "1" and "1i64" do not match

def f : [1]i64 = iota 1i64
