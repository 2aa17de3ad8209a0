-- A match, as Haskell writes it.
-- at 6
-- ==
-- error: cases follow the value that they distinguish: "match e case p -> \.\.\. case q -> \.\.\."\.

def f (x: i64) = case x of 0 -> 1
