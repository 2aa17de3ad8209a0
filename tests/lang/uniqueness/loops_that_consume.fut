-- Loops that consume parts of tuples and records, one after the other, nested.
-- ==
-- entry: main
-- input { [1, 2, 3] } output { [2, 3, 4] }

-- ==
-- entry: lc
-- input { 3i64 } output { [3i64, 0i64, 0i64] [0i64, 3i64, 0i64] 3i64 }

-- ==
-- entry: lc2
-- input { [1i64, 2i64] } output { [2i64, 2i64] [9i64, 9i64] }

-- ==
-- entry: lc3
-- input { 4i64 } output { [0i64, 1i64, 4i64, 9i64] }

-- ==
-- entry: lc4
-- input { [5, 1, 4] } output { [1, 4, 5] 3i64 }

-- ==
-- entry: nested
-- input { 2i64 } output { [[1i64, 1i64], [2i64, 2i64]] }

def table = [1i32, 2, 3]
def add = map2 (+)
def (|+|) = map2 (i32.+)
entry main (xs: *[]i32) : *[]i32 =
  let r = (xs :> [3]i32) |> add (map (const 1) table)
  let r[0] = 2
  in r

entry lc (n: i64) =
  loop (a, b, k) = (replicate n 0i64, replicate n 0, 0) while k < n do
    let a[0] = k + 1
    let b[1] = a[0]
    in (a, b, k + 1)

entry lc2 (xs: *[]i64) =
  let (p, (q, _)) = loop (p, (q, i)) = (xs, (replicate 2 0i64, 0i64)) while i < 2 do
    let p[i] = 2
    let q[i] = 9
    in (p, (q, i + 1))
  in (p, q)

entry lc3 (n: i64) =
  let s = {buf = replicate n 0i64, pos = 0i64}
  let r = loop s while s.pos < n do
    let buf = s.buf
    let pos = s.pos
    let buf[pos] = pos * pos
    in {buf, pos = pos + 1}
  in r.buf

entry lc4 (xs: *[]i32) =
  let n = length xs
  let (ys, c) = loop (ys, c) = (xs, 0i64) for i in 1..<n do
    let ys' = loop ys for j in (i..i-1...1) do
      if ys[j - 1] > ys[j]
      then let t = ys[j - 1]
           let ys[j - 1] = ys[j]
           let ys[j] = t
           in ys
      else ys
    in (ys', c + 1)
  in (ys, c + 1)

entry nested (n: i64) =
  let m = replicate n (replicate n 0i64)
  in loop m for i < n do
       loop m for j < n do
         let m[i, j] = i + 1
         in m
