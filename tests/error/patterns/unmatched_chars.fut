-- Characters are never exhausted.
-- at 6
-- ==
-- error: Unmatched cases in match expression:.*_

def f (c: u8) = match c case 'a' -> 1i32 case 'b' -> 2
