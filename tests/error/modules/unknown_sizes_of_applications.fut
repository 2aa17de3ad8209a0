-- Constants of two applications have different sizes.
-- at 9
-- ==
-- error: Sizes ".*" and ".*" do not match

module f (p: {val k : i64}) = {def e = filter (> 1) (iota p.k)}
module a = f {def k = 4i64}
module b = f {def k = 4i64}
def g = zip a.e b.e
