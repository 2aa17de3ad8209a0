-- printf
-- at 6
-- ==
-- error: "trace x" prints x and returns it

def main = printf "%d" 3
