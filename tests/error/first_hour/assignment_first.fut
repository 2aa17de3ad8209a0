-- A function that begins with an assignment.
-- at 7
-- ==
-- error: a name is bound by "let y = \.\.\. in \.\.\."; equality is "=="\.

def f (x: f64) =
  y = x + 1
  y * 2
