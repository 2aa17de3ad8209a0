-- Sorting as functors over orders: merging networks, insertion, partitioning.
module type order = { type t val <= : t -> t -> bool }
module type sorter = { type t val sort [n] : [n]t -> [n]t }

module merge_sort (O: order) : sorter with t = O.t = {
  type t = O.t
  local def min (x: t) (y: t) = if x O.<= y then x else y
  local def max (x: t) (y: t) = if x O.<= y then y else x
  local def log2 (n: i64) : i64 =
    let r = 0
    let (r, _) =
      loop (r, n) while 1 < n do
        let n = n / 2
        let r = r + 1
        in (r, n)
    in r
  local def ensure_pow_2 [n] (f: t -> t -> t) (xs: [n]t): (*[]t, i64) =
    if n == 0 then (copy xs, 0) else
      let d = log2 n
      in if n == 2 ** d
         then (copy xs, d)
         else let largest = reduce f xs[0] xs
              in (concat xs (replicate (2 ** (d + 1) - n) largest), d + 1)
  local def kernel_par [n] (a: *[n]t) (p: i64) (q: i64) : *[n]t =
    let d = 1 << (p - q)
    in tabulate n (\i ->
                     let a_i = a[i]
                     let up1 = ((i >> p) & 2) == 0
                     in if (i & d) == 0
                        then let a_iord = a[i | d]
                             in if (a_iord O.<= a_i) == up1 then a_iord else a_i
                        else let a_ixord = a[i ^ d]
                             in if (a_i O.<= a_ixord) == up1
                                then a_ixord
                                else a_i)
  def sort [n] (xs: [n]t): [n]t =
    let (xs, d) = ensure_pow_2 max xs
    in (loop xs for i < d do loop xs for j < i + 1 do kernel_par xs i j)[:n]
}

module insertion_sort (O: order) : sorter with t = O.t = {
  type t = O.t
  def sort [n] (xs: [n]t) : *[n]t =
    loop xs = copy xs for i in 1..<n do
      let (xs, _) =
        loop (xs, j) = (xs, i) while j > 0 && !(xs[j - 1] O.<= xs[j]) do
          let tmp = copy xs[j]
          let xs[j] = copy xs[j - 1]
          let xs[j - 1] = tmp
          in (xs, j - 1)
      in xs
}

module quick (O: order) = {
  open O
  def sort [n] (xs: [n]t) : [n]t =
    -- explicit stack of segments
    let stack = replicate (n + 1) (0i64, 0i64)
    let stack[0] = (0, n)
    in (loop (xs, stack, top) = (copy xs, stack, 1i64) while top > 0 do
          let (lo, hi) = stack[top - 1]
          in if hi - lo < 2 then (xs, stack, top - 1) else
               let seg = xs[lo:hi]
               let pivot = seg[0]
               let (small, large) = partition (\x -> !(pivot <= x)) seg[1:]
               let k = length small
               let xs[lo:hi] = small ++ [pivot] ++ large :> [hi - lo]t
               let stack[top - 1] = (lo, lo + k)
               let stack[top] = (lo + k + 1, hi)
               in (xs, stack, top + 1)).0
}

module by_snd (O: order) = {
  type t = (i32, O.t)
  def (a: t) <= (b: t) = a.1 O.<= b.1
}
module flip (O: order) : order with t = O.t = {
  type t = O.t
  def x <= y = y O.<= x
}

module m1 = merge_sort { type t = i32 def (x: i32) <= (y: i32) = x i32.<= y }
module m2 = insertion_sort f64
module m3 = quick u8
module m4 = insertion_sort (by_snd f32)
module m5 = merge_sort (flip i64)
module m6 = merge_sort {
  type t = (i32, bool)
  def (a, b) <= (c, d) = a i32.< c || (a == c && (!b || d))
}

-- ==
-- entry: a
-- input { } output { [-50i32, -1i32, 0i32, 2i32, 3i32, 3i32, 5i32, 7i32, 7i32, 8i32, 100i32] }
entry a = m1.sort [5, 3, 8, -1, 0, 7, 7, 2, 100, -50, 3]

-- ==
-- entry: b
-- input { } output { [-f64.inf, -1.5f64, 0.5f64, 2.25f64, 3f64, f64.inf] }
entry b = m2.sort [0.5, -1.5, 3, 2.25, f64.inf, -f64.inf]

-- ==
-- entry: c
-- input { }
-- output {
--   [32u8, 32u8, 32u8, 32u8, 32u8, 32u8, 32u8, 32u8, 97u8, 98u8, 99u8, 100u8, 101u8, 101u8,
--   101u8, 102u8, 103u8, 104u8, 104u8, 105u8, 106u8, 107u8, 108u8, 109u8, 110u8, 111u8, 111u8,
--   111u8, 111u8, 112u8, 113u8, 114u8, 114u8, 115u8, 116u8, 116u8, 117u8, 117u8, 118u8, 119u8,
--   120u8, 121u8, 122u8]
-- }
entry c : []u8 = m3.sort "the quick brown fox jumps over the lazy dog"

-- ==
-- entry: d
-- input { } output { [2i32, 4i32, 3i32, 1i32] [1.5f32, 1.5f32, 2f32, 3f32] }
entry d = m4.sort [(1, 3.0), (2, 1.5), (3, 2.0), (4, 1.5)] |> unzip

-- ==
-- entry: e
-- input { }
-- output {
--   [100i64, 97i64, 94i64, 91i64, 88i64, 85i64, 82i64, 81i64, 78i64, 75i64, 72i64, 69i64, 66i64,
--   63i64, 62i64, 59i64, 56i64, 53i64, 50i64, 47i64, 44i64, 41i64, 40i64, 37i64, 34i64, 31i64,
--   28i64, 25i64, 22i64, 21i64, 18i64, 15i64, 12i64, 9i64, 6i64, 3i64, 0i64]
-- }
entry e = m5.sort (map (\x -> (x * 7919) % 101) (iota 37))

-- ==
-- entry: f
-- input { } output { [10i32, 11i32, 21i32, 30i32, 31i32] }
entry f =
  m6.sort [(3, true), (1, true), (3, false), (1, false), (2, true)]
  |> map (\(x, y) -> x * 10 + i32.bool y)

-- ==
-- entry: g
-- input { } output { empty([0]i32) [1i32] }
entry g = (m1.sort [], m1.sort [1])
