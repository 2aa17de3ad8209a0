-- A unique result that is the argument.
-- at 6
-- ==
-- error: return a copy \("copy"\), or leave out the '\*' of the result\.

def f (xs: []f64) : *[]f64 = xs
