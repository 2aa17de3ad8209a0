-- Older spellings: the message says what to write instead.
-- at 6 7 8 9 10
-- ==
-- error: Hint: (it is an attribute now|write "flatten xss|"unflatten" is given no sizes|"split" is given no sizes|write "reduce op ne)

def a (xs: []i32) = unsafe xs[0]
def b (xss: [2][3]i32) = flatten_to 6 xss
def d (n: i64) (m: i64) (xs: []i32) = unflatten n m xs
def e (xs: []i32) = split 2 xs
def g (xs: []i32) = stream_red (+) (\ys -> i32.sum ys) xs

