-- One unique part shares memory with one that is not.
-- at 7
-- ==
-- error: aliased to some other component

def both (n: i64) : ([]i64, []i64) = let a = iota n in (a, a)
def f (n: i64) : ([]i64, *[]i64) = both n
