-- The size is called what the program calls it.
-- at 6
-- ==
-- error: Ambiguous size "b"\.

entry main = let [a][b] (xss: [a][b]i32) = [] in length xss
