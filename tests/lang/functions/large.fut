-- A function that is too large for C compilers: its loops become functions of their own, some of them the same
-- one.  Results are scalars and arrays in place, with small arrays on the stack and checks inside.
-- ==
-- input { [1.0, 2.0, 3.0, 4.0] 3i64 }
-- output { [-126.63558200547887f64, -0.9167113327130216f64, -80.63162507790246f64, 3.649247192807524f64] 7.585573659042764f64 }
-- input { [1.0, 2.0, 3.0, 4.0] 9i64 }
-- error: out of bounds
-- input { empty([0]f64) 0i64 }
-- output { empty([0]f64) 0.8872943377876807f64 }
def step [n] (xs: *[n]f64) (c: f64) (at: i64) : (*[n]f64, f64) =
  let s = loop s = c for i < n do
    let t = loop t = 1 for j < i + 1 do t + xs[j] * c / f64.i64 (j + 1)
    let u = loop u = t while u > 10 do u / 3 - 0.25
    in s + u * t - f64.sqrt (f64.abs t)
  let pair = loop p = [s, c] for i < n do [p[1] + xs[i], p[0] / 2 + 1]
  let k = at % i64.max 1 n
  let xs = if n > 0 then loop xs for i < n do xs with [i] = xs[i] * pair[0] + f64.i64 i else xs
  let xs = if n > 0 then xs with [k] = pair[1] else xs
  in (xs, s / (1 + f64.abs pair[0]))

entry main [n] (xs: [n]f64) (at: i64) : ([n]f64, f64) =
  let (xs, a) = step (copy xs) 0.5 0
  let (xs, b) = step (map f64.sin xs) (a + 1) 1
  let (xs, c) = step (map f64.sin xs) (b + 2) 2
  let (xs, d) = step (map f64.sin xs) (c + 3) 3
  let (xs, e) = step (map f64.sin xs) (d + 4) 4
  let (xs, f) = step (map f64.sin xs) (e + 5) 5
  let (xs, g) = step (map f64.sin xs) (f + 6) 6
  let (xs, h) = step (map f64.sin xs) (g + 7) 7
  let last = if n > 0 then xs[at] else 0
  in (xs, h + last)
