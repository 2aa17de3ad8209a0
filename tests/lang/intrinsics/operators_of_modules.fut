-- Built-in operators by their full names inside of modules and functors that define others, as
-- sections, in backticks' place, and for all types they are for.
-- ==
-- entry: main
-- input { 7 2 } output { 5 9 14 3.5f64 }

-- ==
-- entry: sections
-- input { [3, 4] } output { [6, 8] [1, 2] [-3, -4] 7 }

-- ==
-- entry: types
-- input { 6u8 3u8 } output { 9u8 2u8 0u8 true 7u8 }

-- ==
-- entry: shadowed
-- input { 5i64 } output { 15i64 }

module odd = {
  def (+) (x: i32) (y: i32) = x - y
  def (*) (x: i32) (y: i32) = x intrinsics.* y
  def add (x: i32) (y: i32) = x intrinsics.+ y
  def both (x: i32) (y: i32) = (x + y, add x y, x * y)
}

module scaled (p: {val k : f64}) = {
  def (/) (x: f64) (y: f64) = (x intrinsics./ y) * p.k
}

module plain = scaled {def k = 1f64}

entry main (x: i32) (y: i32) =
  let (a, b, c) = odd.both x y
  in (a, b, c, f64.i32 x plain./ f64.i32 y)

entry sections (xs: []i32) =
  (map (intrinsics.* 2) xs, map (intrinsics.- 2) xs, map (0 intrinsics.-) xs,
   reduce (intrinsics.+) 0 xs)

entry types (x: u8) (y: u8) =
  (x intrinsics.+ y, x intrinsics.& y, x intrinsics.% y, x intrinsics.>= y, x intrinsics.| y)

-- a local operator of the name
entry shadowed (x: i64) =
  let (+) = \(a: i64) (b: i64) -> a * b
  in x + (1 intrinsics.+ 2)
