-- Updates of fields that change sizes: chains, loops, lambdas, sums.
-- ==
-- entry: main
-- input { [1, 2] } output { 2i64 4i64 1i64 }

-- ==
-- entry: chain
-- input { [1, 2] } output { [1, 2, 1, 2] 4i64 }

-- ==
-- entry: lp
-- input { 3i64 } output { [0i64, 1i64, 2i64] }

-- ==
-- entry: lam
-- input { [1, 2, 3] } output { [2, 3] }

-- ==
-- entry: deep
-- input { [1, 2] } output { [1, 2, 1, 2] }

-- ==
-- entry: sum
-- input { [1, 2] } output { 3i64 }

type t [n][m] = {a: [n]i32, b: {c: [m]i32, d: [n]i32}}

def f [n][m] (r: t [n][m]) : t [n][m + m] = r with b.c = r.b.c ++ r.b.c

entry main (xs: []i32) =
  let r = f {a = xs, b = {c = xs, d = xs}}
  let s = r with a = filter (> 1) r.a
  in (length r.a, length r.b.c, length s.a)

entry chain (xs: []i32) =
  let r = {x = xs, n = length xs}
  let r.x = r.x ++ r.x
  let r.n = length r.x
  in (r.x, r.n)

entry lp (n: i64) =
  let r = loop r = {xs = [] : []i64, k = 0} while r.k < n do
    (r with xs = r.xs ++ [r.k]) with k = r.k + 1
  in r.xs

entry lam (xs: []i32) = ((\p -> p with 1 = filter (> 1) p.1) (true, xs)).1

entry deep [n] (xs: [n]i32) =
  let p = ((xs, 1i32), 2i32)
  let q = p with 0.0 = xs ++ xs
  in q.0.0
  
type s [n] = #a ([n]i32) | #b

entry sum (xs: []i32) =
  let r = {v = #a xs : s [], w = 1i32}
  let q = r with v = (#a (xs ++ [1]) : s [])
  in match q.v case #a ys -> length ys case #b -> 0
