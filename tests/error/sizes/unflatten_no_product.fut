-- unflatten needs a product.
-- at 6
-- ==
-- error: Sizes "n.* . m.*" and "6" do not match

def f (xs: [6]i32) : [2][3]i32 = unflatten xs
