-- A match in a case that is not the last needs parentheses.
-- at 6
-- ==
-- error: Unmatched cases in match expression

def f (x: i32) (b: bool) = match x case 0 -> match b case true -> 1i32 case false -> 2 case _ -> 3
