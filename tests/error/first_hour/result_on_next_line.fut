-- A statement before the result.
-- at 7
-- ==
-- error: "x" on the next line counts as a further argument; what comes before the result is

def main (x: f64) =
  trace x
  x + 1
