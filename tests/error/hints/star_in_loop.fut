-- A parameter of a loop that is declared without a star.
-- at 7
-- ==
-- error: put a star before the type that the loop says it has, "p: \*\[n\]t"

def f [n] (x: [n]f64) : [n]f64 =
  loop (p: [n]f64) = copy x for i < n do p with [i] = p[i] + 1
