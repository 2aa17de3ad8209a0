-- A hash map in a functor: keys are pieces of a text, which is a context of unknown size; the map is
-- a record with sizes of its own.
-- ==
-- input { "fox cow dogs the" } output { [3i32, -1i32, 7i32, 0i32] 8i64 28i32 }
-- input { "" } output { empty([0]i32) 8i64 28i32 }

module type key = {
  type~ ctx
  type key
  val hash : ctx -> key -> u64
  val == : (ctx, key) -> (ctx, key) -> bool
}

module slice_key : key with ctx = []u8 with key = {off: i64, len: i64} = {
  type~ ctx = []u8
  type key = {off: i64, len: i64}
  def get (c: ctx) (k: key) (i: i64) = c[k.off + i]
  def hash (c: ctx) (k: key) =
    loop h = 14695981039346656037u64 for i < k.len do
      (h ^ u64.u8 (get c k i)) * 1099511628211
  def (==) (c: ctx, k: key) (d: ctx, l: key) =
    k.len i64.== l.len
    && (loop (b, i) = (true, 0) while b && i < k.len do
          (get c k i u8.== get d l i, i + 1)).0
}

module type map = {
  type~ ctx
  type key
  type~ map 'v
  val from_array [n] 'v : ctx -> [n](key, v) -> map v
  val lookup 'v : ctx -> key -> map v -> #none | #some v
  val size 'v : map v -> i64
  val fold 'v 'a : (a -> (key, v) -> a) -> a -> map v -> a
}

module mk_map (K: key) : map with key = K.key with ctx = K.ctx = {
  type~ ctx = K.ctx
  type key = K.key
  type~ map 'v = ?[n][b].{ctx: ctx, kvs: [n](key, v), offs: [b]i64, cnt: [b]i64}
  def from_array [n] 'v (ctx: ctx) (kvs: [n](key, v)) : map v =
    let b = i64.max 1 (2 * n)
    let hs = map (\(k, _) -> i64.u64 (K.hash ctx k % u64.i64 b)) kvs
    let cnt = hist (+) 0 b hs (rep 1)
    let offs = exscan (+) 0 cnt
    let (dst, _) =
      loop (dst, fill) = (replicate n 0, copy offs) for i < n do
        let h = hs[i]
        let p = fill[h]
        in (dst with [i] = p, fill with [h] = p + 1)
    in {ctx, kvs = scatter (copy kvs) dst kvs, offs, cnt}
  def lookup 'v (ctx: ctx) (k: key) (m: map v) : #none | #some v =
    let h = i64.u64 (K.hash ctx k % u64.i64 (length m.offs))
    let end = m.offs[h] + m.cnt[h]
    let i =
      loop i = m.offs[h] while i < end && !((m.ctx, m.kvs[i].0) K.== (ctx, k)) do
        i + 1
    in if i < end then #some m.kvs[i].1 else #none
  def size 'v (m: map v) = length m.kvs
  def fold 'v 'a f (z: a) (m: map v) = foldl f z m.kvs
}

module hm = mk_map slice_key

def words [n] (s: [n]u8) : [](slice_key.key, i32) =
  let starts =
    filter (\i -> s[i] != ' ' && (i == 0 || s[i - 1] == ' ')) (iota n)
  let len o = loop l = 0 while o + l < n && s[o + l] != ' ' do l + 1
  in map2 (\o i -> ({off = o, len = len o}, i32.i64 i)) starts (indices starts)

def main (q: []u8) =
  let s = "the quick brown fox jumps over lazy dogs"
  let m = hm.from_array s (words s)
  let r = map
            (\(k, _) -> match hm.lookup q k m case #none -> -1 case #some v -> v)
            (words q)
  in (r, hm.size m, hm.fold (\a (_, v) -> a + v) 0 m)
