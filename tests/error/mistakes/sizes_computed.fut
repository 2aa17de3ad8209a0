-- Sizes computed.
-- at 7
-- ==
-- error: Sizes "6" and "3 \+ 3" do not match.*both are 6.*\(xs \+\+ ys\) :> \[6\]i32

def f (xs: [6]i32) = xs
def g (xs: [3]i32) (ys: [3]i32) = f (xs ++ ys)
