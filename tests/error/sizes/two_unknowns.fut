-- Two unknown sizes differ.
-- at 6
-- ==
-- error: Cannot apply "zip" to.*Sizes "d.*" and "d.*" do not match

def e4 [n] (xs: [n]i64) = zip (filter (> 0) xs) (filter (> 0) xs)
