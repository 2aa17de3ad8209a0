-- Pairs are exhausted together.
-- at 6
-- ==
-- error: Unmatched cases in match expression:.*.false, false.

def f (x: (bool, bool)) = match x case (true, _) -> 1i32 case (_, true) -> 2
