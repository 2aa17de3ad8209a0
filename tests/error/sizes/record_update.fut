-- A record update keeps the sizes.
-- ==
-- error: Sizes "3" and "2" do not match
def f (r: {a: [3]i32}) = r with a = [1, 2]
