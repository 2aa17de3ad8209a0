-- Guards of Haskell.
-- at 7 8
-- ==
-- error: guards are written as a conditional: "= if c then a else if d then b else e"\.

def f (x: f64)
  | x > 0 = 1
  | otherwise = 2
