-- An update through an index keeps the sizes.
-- ==
-- error: Sizes "3" and "2" do not match
def f [n] (r: {a: [n][3]i32}) = r with a[0] = [1, 2]
