-- A section with an operand of unknown size, of an operator of the program.
-- at 7
-- ==
-- error: Causality

def (<+>) [n] (a: [n]i32) (b: [n]i32) = map2 (+) a b
entry main (xs: []i32) = let k = (filter (> 0) xs <+>) in length xs
