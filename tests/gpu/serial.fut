-- Loops of short steps, which one block of threads does: sums over what is there so far, rows that are
-- added to, elements, several arrays at once.

def matrix (n: i64) : [n][n]f64 =
  tabulate_2d n n (\i j -> if i == j then 2 else f64.i64 ((3 * i + 5 * j) % 7) / f64.i64 (n + 1))

def forward [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = replicate n 0
  for i < n do
    y with [i] = (b[i] - f64.sum (map2 (*) l[i,:i] y[:i])) / l[i, i]

-- The same by columns: what is below is changed.
def eliminated [n] (l: [n][n]f64) (b: [n]f64) : [n]f64 =
  loop y = copy b
  for i < n do
    let v = y[i] / l[i, i]
    let y[i] = v
    in y with [i + 1:] = map2 (\x a -> x - a * v) y[i + 1:] l[i + 1:, i]

def close [n] (a: [n]f64) (b: [n]f64) : bool =
  and (map2 (\x y -> f64.abs (x - y) <= 1e-9 * (1 + f64.abs x)) a b)

def solves [n] (l: [n][n]f64) (b: [n]f64) (y: [n]f64) : bool =
  close b (map2 (\i row -> f64.sum (map2 (*) row[:i + 1] y[:i + 1])) (iota n) l)

-- ==
-- entry: solved
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 5i64 } output { true }
-- input { 70i64 } output { true }
-- input { 300i64 } output { true }
entry solved (n: i64) : bool =
  let l = matrix n
  let b = map (\i -> f64.i64 (i % 11) - 5) (iota n)
  in solves l b (forward l b) && solves l b (eliminated l b)

-- More steps than a kernel does.
-- ==
-- entry: long
-- input { 9000i64 [0.5f32, 0.25f32, 0.25f32] } output { 9000i64 }
entry long [k] (n: i64) (w: [k]f32) : i64 =
  let a =
    loop a = replicate n 1f32
    for i < n - 1 do
      a with [i + 1] = f32.sum (map (* a[i]) w)
  in i64.sum (map (\x -> i64.bool (x == 1)) a)

-- The gradient of a sum of the solution, by both.
-- ==
-- entry: gradients
-- input { 3i64 } output { true }
-- input { 40i64 } output { true }
entry gradients (n: i64) : bool =
  let l = matrix n
  let b = map (\i -> f64.i64 (i % 11) - 5) (iota n)
  let g f = vjp (\(l, b) -> f64.sum (f l b)) (l, b) 1
  let (l1, b1) = g forward
  let (l2, b2) = g eliminated
  in close b1 b2 && and (map2 close l1 l2)

-- Two arrays, of which each is read where the other is written, and a branch.
-- ==
-- entry: pairs
-- input { [1f64, 2f64, 3f64, 4f64] } output { [1f64, 3f64, 7f64, 18f64] [1f64, 4f64, 11f64, 29f64] }
entry pairs [n] (x: [n]f64) : ([n]f64, [n]f64) =
  loop (a, b) = (copy x, copy x)
  for i < n - 1 do
    let s = f64.sum a[:i + 1] + f64.sum b[i:i + 1]
    let c = f64.sum a[:i]
    let a = a with [i + 1] = s + (if i == 0 then 1 else -c)
    let t = a[i + 1]
    in (a, b with [i + 1] = t + b[i])

-- Places that are computed after the rows that go there.
-- ==
-- entry: late
-- input { 4i64 } output { [0f64, 6f64, 8f64, 10f64] }
entry late (n: i64) : [n]f64 =
  let l = tabulate_2d n n (\i j -> f64.i64 (i + j))
  in loop y = replicate n 0
     for i < n do
       let m = map (* 2) l[i, :i]
       let k = n - i
       in y with [k:k + i] = (m :> [i]f64)

-- The next step has the array the other way round, which is left to the host.
-- ==
-- entry: reversed
-- input { [1f64, 2f64, 3f64, 4f64] } output { [11f64, 2f64, 4f64, 4f64] }
entry reversed [n] (y: [n]f64) : [n]f64 =
  loop y = copy y
  for i < n do
    let y[i] = f64.sum y[:i] + 1
    in y[::-1]
