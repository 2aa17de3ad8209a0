-- Entry points take and give records of size-lifted abstract types.
-- ==
-- entry: use
-- script input { mk 3i64 } output { 3i64 }

-- ==
-- entry: both
-- script input { pr 2i64 } output { 4i64 }
module type q = { type~ t val mk : i64 -> t val n : t -> i64 }
module q : q = { type~ t = (i64, []i32) def mk n : t = (n, replicate n 0) def n (t: t) = length t.1 }
entry mk (n: i64) : q.t = q.mk n
entry use (x: q.t) = q.n x
entry pr (n: i64) : {a: q.t, b: q.t} = {a = q.mk n, b = q.mk n}
entry both (r: {a: q.t, b: q.t}) = q.n r.a + q.n r.b
