-- Records, abbreviations with size parameters and with hidden sizes.
type t [n] = {a: [n]i32, b: [n]i32}
type~ u = {x: []i32, y: []i32}
def swap [n] (r: t [n]) : t [n] = r with a = r.b
def positive (r: u) : u = {x = filter (> 0) r.x, y = r.y}
def sized (r: {n: i64}) : [r.n]i64 = iota r.n
-- ==
-- input { [1, -2] [3, 4] } output { [3, 4] [1] [3, 4] [0i64, 1i64] }
entry main [n] (xs: [n]i32) (ys: [n]i32) =
  let p = positive {x = xs, y = ys}
  in ((swap {a = xs, b = ys}).a, p.x, p.y, sized {n = 2})
