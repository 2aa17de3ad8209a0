-- A hole has whatever sizes are wanted.
-- ==
-- entry: parsed
-- input { [1u8, 2u8, 3u8, 4u8] } error: .
def parse : [4]u8 -> []i32 = ???

entry parsed (s: [4]u8) = length (parse s)

def todo (xs: []i32) : []i32 = ???

-- ==
-- entry: unused
-- input { [1, 2] true } output { [1, 2] }
-- input { [1, 2] false } error: .
entry unused [n] (xs: [n]i32) (b: bool) : [n]i32 = if b then xs else todo xs

def both : i64 -> ([]i32, []f32) = ???

-- ==
-- entry: pair
-- input { 1i64 false } output { 0i64 }
-- input { 1i64 true } error: .
entry pair (n: i64) (b: bool) = if b then (let (x, y) = both n in length x + length y) else 0

-- ==
-- entry: record
-- input { 1 false } output { 1 }
-- input { 1 true } error: .
entry record (x: i32) (b: bool) : i32 =
  let f (r: {xs: []i32, ys: [][]i32}) : i32 = if b then ??? else length r.xs |> i32.i64
  in f {xs = [x], ys = [[1]]}
