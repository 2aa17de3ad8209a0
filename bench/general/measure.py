"""Checks and times programs beside their peers, in a process of its own (see `run`): lines of JSON on stdout.

    {"begin": program}                  to prepare or to time it
    {"waiting": true}                   for other processes
    {"result": {"program", "own": {...}, "peers": {name: {...}}, "wrong": [...]}}
"""
import contextlib
import fcntl
import json
import os
import signal
import statistics
import sys
import time

JOB = json.loads(sys.argv[1])
if JOB["target"] in ("c", "multicore"):
    # Before anything starts threads: XLA has as many as there are cores for it.
    cores = sorted(os.sched_getaffinity(0))
    first = JOB["worker"] % len(cores) if JOB["target"] == "c" else 0
    os.sched_setaffinity(0, cores[first:first + (1 if JOB["target"] == "c" else JOB["threads"])])
    os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "gpu")]
import peers  # noqa: E402
import problem  # noqa: E402
from own import Own, as_type, flat, off  # noqa: E402

ON_GPU = JOB["target"] not in ("c", "multicore")
SIZE = JOB["size"]
EXACT = 1e-8                            # of f64, relative to the largest element of a result
AT_SIZE = 2e-2                          # of f32 at the size that is timed, where sums are long
THREADS = JOB["threads"] if JOB["target"] == "multicore" else 0


class TooLong(Exception):
    pass


def alarm(*_):
    raise TooLong(f"more than {JOB['patience']} s")


def say(**line):
    print(json.dumps(line), flush=True)


# On one core the time of all threads of this process, which others on the machine do not change.
clock = time.process_time if JOB["target"] == "c" else time.perf_counter


# On devices the first calls record and instantiate graphs, which get longer from call to call.
WARM = 10 if ON_GPU else 1


def median_ms(call, seconds):
    for _ in range(WARM):
        call()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or (time.perf_counter() < end and len(times) < 2000):
        start = clock()
        call()
        times.append(1e3 * (clock() - start))
        if sum(times) > 1e4 * seconds:
            break
    return statistics.median(times)


def kernels(base, layouts, data):
    """Where the time of a call goes."""
    own = Own(base, layouts, THREADS, profile=True)
    args = own.arguments(data)
    return {what + " kernels": kernels_of(own, what, args) for what in ("primal", "gradient")}


def kernels_of(own, entry, args):
    """[kernel, place, runs, microseconds], the longest first."""

    def events():
        own.results(entry, args)
        return {e["name"]: (e.get("provenance"), e.get("count", 1), e["duration"]) for e in own.program.report()["events"]}
    before, after = events(), events()  # the first call compiles the kernels
    out = []
    for name, (place, n, t) in after.items():
        _, n0, t0 = before.get(name, (None, 0, 0.0))
        if n > n0:
            out.append([name, place, n - n0, t - t0])
    return sorted(out, key=lambda k: -k[3])[:12]


def laid_out(parts, p, layouts):
    """Derivatives of a peer in the layout of the program."""
    if p.mode != "vjp":
        return parts
    return [np.transpose(x, layouts[k]) if layouts.get(k) else x for k, x in zip(p.active, parts)]


class Peer:
    """A model with data of given types, in one framework."""

    def __init__(self, fw, p, data, types):
        self.fw, self.p = fw, p
        typed = {k: as_type(v, types[k]) for k, v in data.items()}
        self.fixed = {k: v.item() for k, v in typed.items() if not np.ndim(v)}
        self.args = {k: fw.array(v) for k, v in typed.items() if np.ndim(v)}

    def model(self, a):
        return self.p.model(self.fw, problem.Fields({**self.fixed, **a}))

    def call(self, what):
        if what == "primal":
            f = self.model if self.fw.jax else self.fw.primal(self.model)
        else:
            mode = self.p.jax_mode if self.fw.jax else self.p.mode
            f = self.fw.gradient(self.model, self.args, self.p.active, mode)
        return self.fw.prepare(f, self.args)


def frameworks():
    out, absent = {}, {}
    for name in JOB["peers"]:
        try:
            out[name] = peers.Jax(ON_GPU) if name == "jax" else \
                peers.Torch(ON_GPU, name == "torch-compile", JOB["threads"])
        except Exception as e:
            absent[name] = f"{type(e).__name__}: {str(e)[:200]}"
    return out, absent


def checkers(timed):
    """Frameworks to check with: those that are timed, or else those that have no GPU."""
    out = {fw.name: fw for fw in timed.values() if not getattr(fw, "compiled", False)}
    for name, make in (("torch", peers.Torch), ("jax", peers.Jax)):
        if not out:
            try:
                out[name] = make(False)
            except Exception:           # not installed either
                pass
    return out


def all_f64(types):
    return {k: t.replace("f32", "f64").replace("f16", "f64") for k, t in types.items()}


def check(result, name, p, own, exact, fws):
    """On tiny data: the program with all floats f64, and as it is, against a peer in f64."""
    data = p.data("tiny")
    exact.check_names(data)
    layouts = p.programs[name]
    for fw in fws.values():
        if fw.name in p.absent:
            continue
        peer = Peer(fw, p, data, all_f64(exact.types))
        for what in ("primal", "gradient"):
            want = flat(fw.numpy(peer.call(what)()))
            if what == "gradient":
                want = laid_out(want, p, layouts)
            for who, program, limit in (("f64", exact, EXACT), ("own type", own, p.tolerance)):
                d = off(want, program.results(what, program.arguments(data)))
                result["checks"].append([what, who, fw.name, d])
                if not d <= limit:
                    result["wrong"].append(f"{what} ({who}) differs from {fw.name} by {d:.2g}")


class Work:
    """What is left to do for a program once all is compiled: times to take, and what must live until then."""

    def __init__(self, result):
        self.result, self.times, self.args, self.last = result, [], None, None

    def time(self, into, what, call):
        self.times.append((into, what, call))


def prepare_peer(work, name, p, fw, who, data, own, reference):
    result, times = work.result, {}
    signal.alarm(int(JOB["patience"]))
    try:
        peer = Peer(fw, p, data, own.types)
        for what in ("primal", "gradient"):
            call = peer.call(what)
            got = flat(fw.numpy(call()))
            if what == "gradient":
                got = laid_out(got, p, p.programs[name])
            d = off(got, reference[what])
            times[what + " off"] = d
            work.time(times, what, call)
            if not d <= AT_SIZE:
                result["far"].append(f"{what} at the size timed: {d:.2g} from {who}")
    except Exception as e:
        times["error"] = f"{type(e).__name__}: {str(e)[:300]}"
    finally:
        signal.alarm(0)
    result["peers"][who] = times


def prepare(name, p, fws, checks_with):
    result = {"program": name, "family": p.family, "own": {}, "peers": {}, "checks": [], "wrong": [], "far": []}
    work = Work(result)
    layouts = p.programs[name]
    try:
        own = Own(JOB["libraries"][name]["own"], layouts, THREADS)
        exact = Own(JOB["libraries"][name]["exact"], layouts, THREADS) if "exact" in JOB["libraries"][name] else own
        result["types"] = sorted({t.replace("[]", "") for t in own.types.values()})
        if not JOB["no_check"]:
            check(result, name, p, own, exact, checks_with)
            if not result["checks"]:
                result["far"].append("not checked: there is no peer")
        if SIZE == "tiny" and not JOB["seconds"]:
            return work
        data = p.data(SIZE)
        result["directions"] = len(data[p.active[0]]) if p.mode == "hessian" else 1
        work.args = args = own.arguments(data)
        reference = {}
        for what in ("primal", "gradient"):
            start = time.perf_counter()
            reference[what] = own.results(what, args)
            result["own"][what + " first"] = time.perf_counter() - start
            work.time(result["own"], what, own.program.prepared(what, *args))
        own.program.clear()             # others need the memory meanwhile
        if JOB["profile"]:
            work.last = lambda: kernels(JOB["libraries"][name]["own"], layouts, data)
    except Exception as e:
        result["wrong"].append(f"{type(e).__name__}: {str(e)[:600]}")
        return work
    for who, fw in fws.items():
        if fw.name in p.absent or who in p.absent:
            result["peers"][who] = {"error": p.absent.get(who) or p.absent[fw.name]}
        elif who == "torch-compile" and p.steps(*p.sizes[SIZE]) > JOB["unroll"]:
            result["peers"][who] = {"error": f"{p.steps(*p.sizes[SIZE])} steps unrolled"}
        else:
            prepare_peer(work, name, p, fw, who, data, own, reference)
    return work


def finish(work):
    """Takes the times of a program."""
    try:
        for into, what, call in work.times:
            into[what] = median_ms(call, JOB["seconds"])
        if work.last:
            work.result.update(work.last())
    except Exception as e:
        work.result["wrong"].append(f"{type(e).__name__}: {str(e)[:600]}")
    return work.result


@contextlib.contextmanager
def lock(how):
    """Among the processes of `run`: many may prepare (LOCK_SH), one takes times (LOCK_EX), alone."""
    if not JOB["lock"]:
        yield
        return
    with open(JOB["lock"], "w") as f:
        fcntl.flock(f, how)
        yield


def main():
    signal.signal(signal.SIGALRM, alarm)
    fws, absent = frameworks()
    say(absent=absent)
    checks_with = {} if JOB["no_check"] else checkers(fws)
    everything = problem.load()
    # Beside others all is prepared before any time is taken, so that nobody computes meanwhile.
    groups = [JOB["programs"]] if JOB["lock"] else [[name] for name in JOB["programs"]]
    for group in groups:
        ready = []
        with lock(fcntl.LOCK_SH):
            for name in group:
                say(begin=name)
                ready.append((name, prepare(name, everything[name], fws, checks_with)))
        while ready:
            name, work = ready.pop(0)
            say(waiting=True)
            with lock(fcntl.LOCK_EX):
                say(begin=name)
                say(result=finish(work))


main()
