-- Imported by tests.
def deeper = 4i32
