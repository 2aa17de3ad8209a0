-- A case with a condition.
-- at 6
-- ==
-- error: a case has no condition of its own; decide in its body: "case p -> if c then a else b"\.

def f (x: #some f64 | #none) = match x case #some y if y > 0 -> y case _ -> 0
