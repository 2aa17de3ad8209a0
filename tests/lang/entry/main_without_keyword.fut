-- main is an entry point without being marked.
-- ==
-- input { 3 } output { 6 }
def main (x: i32) = x * 2
