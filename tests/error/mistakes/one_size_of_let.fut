-- One size of let.
-- at 8
-- ==
-- error: "twice" is bound by "let" to a function.*"let twice xs = ..."

def main [m][n] (a: [m]f64) (b: [n]f64) =
  let twice = map (* 2)
  in (twice a, twice b)
