-- All independent errors of a definition are reported, each array's once.
-- at 10 11 12
-- ==
-- error: "xs", which is not consumable(.|\n)*"ys", but this was consumed(.|\n)*might alias update value

def eat (a: *[]i32) = a[0]

entry main (xs: []i32) (ys: *[]i32) (m: *[][]i32) =
  let p = eat ys
  let q = xs with [0] = p
  let r = xs with [0] = ys[0]
  in (q, r, ys, m with [0] = m[1])
