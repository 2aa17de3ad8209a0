-- Array elements of different size.
-- at 6
-- ==
-- error: Sizes "d.*" and "1" do not match

def e22 (b: bool) = [if b then [1] else [2, 3], [4]]
