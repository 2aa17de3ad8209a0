-- A function returns a global constant.
-- at 7
-- ==
-- error: Function result aliases the free variable "tab"

def tab : [3]i32 = [4, 5, 6]
def get () = tab
