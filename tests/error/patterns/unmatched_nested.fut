-- A combination is missing.
-- at 7
-- ==
-- error: Unmatched cases in match expression:.*\(#b, false\)

type t = #a | #b
def f (p: (t, bool)) = match p case (#a, _) -> 1i32 case (#b, true) -> 2
