-- Attributes do not change meaning.
#[inline]
def f (x: i32) = x + 1
#[noinline]
def g (x: i32) = x * 2
-- ==
-- input { [1, 2] } output { [4, 6] 6 [1, 2] }
entry main (xs: []i32) =
  (#[sequential] map (\x -> #[noinline] g (f x)) xs,
   #[unroll] loop s = 0 for x in xs do s + x * 2,
   #[unknown_attribute(1, two)] xs)

-- ==
-- entry: unchecked
-- input { [1, 2] 1i64 } output { 2 }
entry unchecked (xs: []i32) (i: i64) = #[unsafe] xs[i]

-- ==
-- entry: blanks
-- input { 2i64 } output { [7, 7] }
entry blanks (n: i64) : [n]i32 = scatter (#[scratch] replicate n 0) (iota n) (replicate n 7)
