-- An array literal of the wrong size.
-- at 6
-- ==
-- error: Sizes "3" and "2" do not match

def f : [3]i32 = [1, 2]
