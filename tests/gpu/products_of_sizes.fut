-- A function that threads call, and which allocates rows whose number they say: the product of sizes is checked.
-- ==
-- input { [2i64, 0i64, 3i64] } output { [14i64, 0i64, 60i64] }
#[noinline]
def grown (k: i64) : i64 =
  let a = loop a = [[0, 0, 0]] for i < k do a ++ map (\r -> [r[1] + i, r[2] + k, r[0] + 1]) a
  in i64.sum (flatten a)

def main [n] (ks: [n]i64) : [n]i64 = map grown ks
