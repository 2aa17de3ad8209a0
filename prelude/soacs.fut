-- | Second-order array combinators: functions that apply other functions to the elements of
-- arrays, in parallel.

local import "zip"
local import "array"

-- | Apply a function to each element: `map (+ 1) [1, 2, 3]` is `[2, 3, 4]`.
def map 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | The same as `map`.
def map1 'a [n] 'x (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | Apply a function of two arguments to the elements of two arrays, pair by pair:
-- `map2 (*) [1, 2, 3] [4, 5, 6]` is `[4, 10, 18]`.
def map2 'a 'b [n] 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x =
  intrinsics.map (\(a, b) -> f a b) (zip as bs)

-- | Apply a function of three arguments to the elements of three arrays.
def map3 'a 'b 'c [n] 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n]x =
  intrinsics.map (\(a, b, c) -> f a b c) (zip3 as bs cs)

-- | Apply a function of four arguments to the elements of four arrays.
def map4 'a 'b 'c 'd [n] 'x (f: a -> b -> c -> d -> x)
    (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n]x =
  intrinsics.map (\(a, b, c, d) -> f a b c d) (zip4 as bs cs ds)

-- | Apply a function of five arguments to the elements of five arrays.
def map5 'a 'b 'c 'd 'e [n] 'x (f: a -> b -> c -> d -> e -> x)
    (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : *[n]x =
  intrinsics.map (\(a, b, c, d, e) -> f a b c d e) (zip5 as bs cs ds es)

-- | Combine all elements with an operator: `reduce (+) 0 [1, 2, 3]` is `6`.  The operator must be
-- associative, and `ne` its neutral element, which is the result for an empty array.
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *a = intrinsics.reduce op ne as

-- | The same as `reduce`, for an operator that is also commutative, which may be faster.
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *a =
  intrinsics.reduce_comm op ne as

-- | Combine the elements of each prefix of the array: `scan (+) 0 [1, 2, 3]` is `[1, 3, 6]`.  The
-- operator must be associative, and `ne` its neutral element.
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a = intrinsics.scan op ne as

-- | The same as `scan`, but each prefix excludes its last element:
-- `exscan (+) 0 [1, 2, 3]` is `[0, 1, 3]`.
def exscan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  let inclusive = intrinsics.scan op ne as
  in intrinsics.map (\i -> if i == 0 then ne else #[unsafe] inclusive[i - 1]) (iota n)

-- | Whether the predicate is true for all elements: `all (> 0) [1, 2, 3]` is `true`.
def all [n] 'a (p: a -> bool) (as: [n]a) : bool = and (intrinsics.map p as)

-- | Whether the predicate is true for at least one element: `any (> 2) [1, 2, 3]` is `true`.
def any [n] 'a (p: a -> bool) (as: [n]a) : bool = or (intrinsics.map p as)

-- | Combine each value `as[j]` with the element of `dest` at index `is[j]`:
-- `reduce_by_index [1, 1, 1] (+) 0 [0, 2, 0] [10, 20, 30]` is `[41, 1, 21]`.  Indices out of
-- bounds are ignored.  The operator must be associative and commutative.  Consumes `dest`.
def reduce_by_index 'a [k] [n] (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a)
    : *[k]a =
  intrinsics.hist_1d dest op ne is as

-- | The same as `reduce_by_index`, with two indices for each value.
def reduce_by_index_2d 'a [k] [n] [m] (dest: *[k][m]a) (op: a -> a -> a) (ne: a)
    (is: [n](i64, i64)) (as: [n]a) : *[k][m]a =
  intrinsics.hist_2d dest op ne is as

-- | The same as `reduce_by_index`, with three indices for each value.
def reduce_by_index_3d 'a [k] [n] [m] [l] (dest: *[k][m][l]a) (op: a -> a -> a) (ne: a)
    (is: [n](i64, i64, i64)) (as: [n]a) : *[k][m][l]a =
  intrinsics.hist_3d dest op ne is as

-- | A histogram with `k` bins: bin `i` combines the values whose index is `i`.  For example,
-- `hist (+) 0 3 [0, 2, 0] [10, 20, 30]` is `[40, 0, 20]`.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d (replicate k ne) op ne is as

-- | Write each value `vs[j]` to index `is[j]` of `dest`: `scatter [0, 0, 0] [2, 0] [7, 8]` is
-- `[8, 0, 7]`. Indices out of bounds are ignored.  If an index occurs twice, it is unspecified
-- which value is written.  Consumes `dest`.
def scatter 't [k] [n] (dest: *[k]t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter_1d dest is vs

-- | The same as `scatter`, with two indices for each value.
def scatter_2d 't [k] [n] [l] (dest: *[k][n]t) (is: [l](i64, i64)) (vs: [l]t) : *[k][n]t =
  intrinsics.scatter_2d dest is vs

-- | The same as `scatter`, with three indices for each value.
def scatter_3d 't [k] [n] [o] [l] (dest: *[k][n][o]t) (is: [l](i64, i64, i64)) (vs: [l]t)
    : *[k][n][o]t =
  intrinsics.scatter_3d dest is vs

-- | An array of `k` elements: `vs[j]` at index `is[j]`, and `x` elsewhere.  For example,
-- `spread 4 0 [3, 1] [7, 8]` is `[0, 8, 0, 7]`.
def spread 't [n] (k: i64) (x: t) (is: [n]i64) (vs: [n]t) : *[k]t =
  intrinsics.scatter_1d (replicate k x) is vs

-- How many of the first i + 1 flags are set, for each i.
local def count_up [n] (flags: [n]bool) : *[n]i64 =
  intrinsics.scan intrinsics.add 0 (intrinsics.map (\f -> if f then 1i64 else 0) flags)

local def last_or_zero [n] (ends: [n]i64) : i64 =
  if n == 0 then 0 else #[unsafe] ends[n - 1]

-- | The elements for which the predicate is true, in order: `filter (> 1) [1, 2, 3]` is `[2, 3]`.
def filter [n] 'a (p: a -> bool) (as: [n]a) : ?[m].*[m]a =
  let keep = intrinsics.map p as
  let ends = count_up keep
  let m = last_or_zero ends
  let is = map2 (\k e -> if k then e - 1 else -1) keep ends
  in #[unsafe] (scatter (#[scratch] copy as) is as)[0:m]

-- | The elements for which the predicate is true, and the others, both in order.
def partition [n] 'a (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
  let keep = intrinsics.map p as
  let ends = count_up keep
  let k = last_or_zero ends
  let is = map3 (\i f e -> if f then e - 1 else k + i - e) (iota n) keep ends
  let parts = scatter (#[scratch] copy as) is as
  in #[unsafe] (parts[0:k], parts[k:])

-- | The elements for which the first predicate is true, those for which only the second is, and
-- the others, all in order.
def partition2 [n] 'a (p: a -> bool) (q: a -> bool) (as: [n]a)
    : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  let (first, second) =
    intrinsics.unzip (intrinsics.map (\a -> let f = p a in (f, !f && q a)) as)
  let ends = count_up first
  let ends' = count_up second
  let k = last_or_zero ends
  let l = last_or_zero ends'
  let place i f s e e' =
    if f then e - 1 else if s then k + e' - 1 else k + l + i - e - e'
  let is = map5 place (iota n) first second ends ends'
  let parts = scatter (#[scratch] copy as) is as
  in #[unsafe] (parts[0:k], parts[k:k + l] :> [l]a, parts[k + l:] :> [n - k - l]a)

-- | An irregular map: the function returns an array of any length, and an additional value, for
-- each element.  The results are the lengths, a flag for each element that starts a segment,
-- the offsets of the segments, the elements of all segments in one array, and the additional
-- values.
def flatmap [n] 'a 'b 'c (f: a -> ?[k].([k]b, c)) (as: [n]a)
    : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  let (lengths, elements, others) = intrinsics.flatmap f as
  let offsets = exscan intrinsics.add 0 lengths
  let starts = map2 (\len o -> if len == 0 then -1 else o) lengths offsets
  let flags = scatter (intrinsics.map (\_ -> false) elements) starts (replicate n true)
  in (lengths, flags, offsets, elements, others)

-- | The same as `flatmap`, without the additional value.
def flatmap' [n] 'a 'b (f: a -> ?[k].[k]b) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (lengths, flags, offsets, elements, _) = flatmap (\a -> (f a, true)) as
  in (lengths, flags, offsets, elements)
