-- Updates of fields that change sizes: in loops, chains, tuples and functors.
-- ==
-- entry: loopstate
-- input { 3i64 } output { [0i64,1i64,2i64] 3i64 }

-- ==
-- entry: chain
-- input { [1,2,3] } output { [2,3] [1] }

-- ==
-- entry: intup
-- input { [1,2,3] } output { [3] 2i64 }

-- ==
-- entry: func
-- input { 2i64 } output { 4i64 }

-- ==
-- entry: deep
-- input { [1,2] } output { [1,2,1,2] true }
type~ st = {xs: []i64, n: i64}
entry loopstate (n: i64) =
  let r = loop (s: st) = {xs = [], n = 0} for i < n do s with xs = s.xs ++ [i] with n = s.n + 1
  in (r.xs, r.n)
entry chain (xs: []i32) =
  let r = {a = xs, b = xs} with a = filter (> 1) xs with b = xs[:1]
  in (r.a, r.b)
entry intup (xs: []i32) =
  let p = ((xs, 2i64), true)
  let p.0.0 = filter (> 2) xs
  in p.0
module f (P: {type~ t val mk : i64 -> t}) = {
  type~ w = {inner: P.t, k: i64}
  def mk (n: i64) : w = {inner = P.mk n, k = n}
  def again (x: w) : w = x with inner = P.mk (x.k * 2) with k = x.k * 2
}
module g = f {type~ t = []i32 def mk (n: i64) : t = replicate n 1i32}
entry func (n: i64) = length (g.again (g.mk n)).inner
entry deep (xs: []i32) =
  let r = {a = {b = {c = xs}, d = true}}
  let r = r with a.b.c = r.a.b.c ++ xs
  in (r.a.b.c, r.a.d)
