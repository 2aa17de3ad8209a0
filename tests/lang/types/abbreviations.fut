-- Type abbreviations.
type vec3 = (f64, f64, f64)
type mat [n] [m] 'a = [n][m]a
type square [n] = mat [n] [n] f64
def trace' [n] (m: square [n]) : f64 = f64.sum (map (\i -> m[i, i]) (iota n))
def dot (a: vec3) (b: vec3) : f64 = a.0 * b.0 + a.1 * b.1 + a.2 * b.2
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { 5.0 14.0 }
entry main [n] (m: [n][n]f64) = (trace' m, dot (1, 2, 3) (1, 2, 3))
