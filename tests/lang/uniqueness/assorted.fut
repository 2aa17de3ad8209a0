-- In-place updates through functions, loops and records.
def swap [n] 't (i: i64) (j: i64) (xs: *[n]t) : *[n]t =
  let t = copy xs[i] let xs[i] = copy xs[j] let xs[j] = t in xs

-- ==
-- entry: a
-- input { } output { [3i32, 2i32, 1i32] }
entry a = swap 0 2 [1, 2, 3i32]
def bubble [n] (xs: *[n]i32) : *[n]i32 =
  loop xs for i < n do
    loop xs for j < n - 1 do if xs[j] > xs[j + 1] then swap j (j + 1) xs else xs

-- ==
-- entry: b
-- input { } output { [1i32, 2i32, 3i32] }
entry b = bubble [3, 1, 2]
type st = {buf: [4]i32, pos: i64}
def write (s: *st) (x: i32) : *st =
  let {buf, pos} = s in {buf = buf with [pos] = x, pos = pos + 1}

-- ==
-- entry: c
-- input { } output { [5i32, 6i32, 0i32, 0i32] }
entry c = let s = {buf = replicate 4 0, pos = 0} in (write (write s 5) 6).buf
def write2 (s: *st) (x: i32) : *st =
  let p = s.pos let s.buf[p] = x let s.pos = p + 1 in s

-- ==
-- entry: d
-- input { } output { [5i32, 6i32, 0i32, 0i32] }
entry d =
  let s : st = {buf = replicate 4 0, pos = 0} in (write2 (write2 s 5) 6).buf
def sieve (n: i64) : []i64 =
  let flags = replicate (n + 1) true
  let flags[0] = false
  let flags[1] = false
  let (flags, _) =
    loop (flags, p) = (flags, 2) while p * p <= n do
      let flags =
        if flags[p]
        then (loop flags for k in (p * p)..(p * p + p)...n do
                flags with [k] = false)
        else flags
      in (flags, p + 1)
  in filter (\i -> flags[i]) (iota (n + 1))

-- ==
-- entry: e
-- input { } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
entry e = sieve 30
def hist [n] (k: i64) (is: [n]i64) : [k]i32 =
  reduce_by_index (replicate k 0) (+) 0 is (replicate n 1)

-- ==
-- entry: f
-- input { } output { [1i32, 2i32, 1i32] }
entry f = hist 3 [0, 1, 1, 2, 5, -1]
def matset (m: *[2][3]i32) = m with [1] = [7, 8, 9] with [0, 1] = 5

-- ==
-- entry: g
-- input { } output { [[0i32, 5i32, 0i32], [7i32, 8i32, 9i32]] }
entry g = matset (replicate 2 (replicate 3 0))

-- ==
-- entry: h
-- input { } output { [0i64, 10i64, 0i64, 3i64, 0i64] }
entry h =
  let a = iota 5 let b = a with [1:3] = [10, 20] in b with [::2] = [0, 0, 0]
def two (a: *[]i32) (b: *[]i32) : (*[]i32, *[]i32) =
  (a with [0] = 1, b with [0] = 2)

-- ==
-- entry: i
-- input { } output { [1i32, 0i32] [2i32, 0i32, 0i32] }
entry i = two [0, 0] [0, 0, 0]

-- ==
-- entry: j
-- input { } output { [5i64, 1i64, 2i64] [0i64, 5i64, 2i64] }
entry j = let (x, y) = (iota 3, iota 3) let x[0] = 5 let y[1] = x[0] in (x, y)
def ho (n: i64) (f: *[n]i32 -> *[n]i32) = f (replicate n 3)

-- ==
-- entry: k
-- input { } output { [9i32, 3i32, 3i32] }
entry k = ho 3 (\(xs: *[]i32) -> xs with [0] = 9)

-- ==
-- entry: l
-- input { } output { [10i64, 1i64, 10i64] }
entry l =
  (loop (xs, ys) = (iota 3, iota 3) for i < 3 do (ys with [i] = 10, xs)).0
