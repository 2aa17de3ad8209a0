-- What a tuning parameter is set to is not known: it is no size but that of its own value.
-- at 6 7
-- ==
-- error: Sizes "4" and "d.*" do not match

def f : [4]i64 = iota (#[param(n)] 4)
def g : [4]i64 = let k = #[param(n)] 4 in iota k
