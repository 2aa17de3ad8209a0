-- Constants: one that holds, one that the compiler knows, those that fail by what CASE says.
def size : i64 = opaque 10
def known = 6 * 7i64
def table = map (\i -> i * i) (iota 100)
def limit = assert (size < CASE) size
def halves = map (\i -> 100 / (size - CASE + i + 1)) (iota 5)
def found = filter (> 2) (iota limit)

entry main (i: i64) = table[i] + known
entry other (i: i64) = halves[i] + limit + length found
