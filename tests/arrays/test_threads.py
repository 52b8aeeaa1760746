"""The threads for large arrays: `spread` and `set_num_threads`."""

import gc
import json
import os
import subprocess
import sys
import threading
import time
import warnings
import weakref

import numpy as np
import pytest

import adjoint as ad
from adjoint.arrays import threads
from adjoint.arrays.threads import spread


@pytest.fixture(autouse=True)
def restore_count():
    count = threads.get_num_threads()
    yield
    threads.set_num_threads(count)


def python(script, **env):
    done = subprocess.run(
        [sys.executable, "-c", "import json, os, adjoint as ad\n" + script],
        capture_output=True, text=True, check=True, env=os.environ | env, timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout)


def run_in_two_threads(work):
    """Two blocks that wait for each other, so that they have to run at the same time."""
    ad.set_num_threads(2)
    together = threading.Barrier(2)

    def meet(start, stop):
        together.wait(timeout=30)
        return work(start, stop)

    spread(meet, 2, 1)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("size", [0, 1, 5, 64, 1001])
def test_every_block_is_done_once_and_begins_at_a_multiple(count, size):
    ad.set_num_threads(count)
    done = []
    spread(lambda start, stop: done.append((start, stop)), size, 7)
    assert sorted(done) == [(start, min(start + 7, size)) for start in range(0, size, 7)]


def test_blocks_run_at_the_same_time():
    seen = []
    run_in_two_threads(lambda start, stop: seen.append(threading.get_ident()))
    assert len(set(seen)) == 2 and threading.get_ident() in seen


def test_one_thread_works_alone():
    ad.set_num_threads(1)
    seen = set()
    spread(lambda start, stop: seen.add(threading.get_ident()), 100, 1)
    assert seen == {threading.get_ident()}


def test_a_caller_whose_helpers_do_not_come_does_all_the_work(monkeypatch):
    ad.set_num_threads(4)
    monkeypatch.setattr(threads, "_call_helpers", lambda task, count: None)
    done = []
    spread(lambda start, stop: done.append(start), 100, 1)
    assert sorted(done) == list(range(100))


def test_nothing_can_be_started_at_shutdown(monkeypatch):
    def refuse(*args):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threads, "_pool", threads._Pool())
    monkeypatch.setattr(threads._thread, "start_new_thread", refuse)
    ad.set_num_threads(3)
    done = []
    spread(lambda start, stop: done.append(start), 10, 1)
    assert sorted(done) == list(range(10))


@pytest.mark.parametrize("where", ["caller", "helper"])
def test_an_error_is_raised_by_the_caller_when_all_have_ended(where):
    caller = threading.get_ident()
    running = []

    def work(start, stop):
        if (threading.get_ident() == caller) == (where == "caller"):
            raise LookupError("on purpose")
        running.append(start)
        time.sleep(0.02)
        running.clear()

    with pytest.raises(LookupError, match="on purpose"):
        run_in_two_threads(work)
    assert running == []
    run_in_two_threads(lambda start, stop: None)  # and the next one works


def test_an_interrupt_waits_for_the_blocks_that_have_begun():
    caller, ended = threading.get_ident(), []

    def work(start, stop):
        if threading.get_ident() == caller:
            raise KeyboardInterrupt
        time.sleep(0.05)
        ended.append(start)

    with pytest.raises(KeyboardInterrupt):
        run_in_two_threads(work)
    assert len(ended) == 1


def test_errstate_of_the_caller_holds_in_helpers():
    def divide(start, stop):
        np.ones(3) / np.zeros(3)

    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        run_in_two_threads(divide)
    with np.errstate(divide="ignore"):
        run_in_two_threads(divide)
    with np.errstate(divide="warn"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run_in_two_threads(divide)
    assert len(caught) == 2
    with np.errstate(divide="warn"), pytest.raises(RuntimeWarning, match="divide by zero"):
        run_in_two_threads(divide)  # here warnings are errors


def test_settings_that_work_changes_in_a_helper_are_not_those_of_the_next_task():
    caller = threading.get_ident()

    def change(start, stop):
        if threading.get_ident() != caller:
            np.seterr(divide="ignore")

    run_in_two_threads(change)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        run_in_two_threads(lambda start, stop: np.ones(3) / np.zeros(3))


def test_nested_calls_stay_in_their_thread():
    def nested(start, stop):
        inside = set()
        spread(lambda a, b: inside.add(threading.get_ident()), 10, 1)
        assert inside == {threading.get_ident()}

    run_in_two_threads(nested)


def test_calls_from_several_threads():
    ad.set_num_threads(3)
    sums = []

    def call():
        for _ in range(30):
            out = np.zeros(1000)
            spread(lambda start, stop, out=out: out[start:stop].__iadd__(1), 1000, 10)
            sums.append(out.sum())

    callers = [threading.Thread(target=call) for _ in range(4)]
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    assert sums == [1000] * 120


def test_what_was_worked_on_is_not_kept_alive():
    class Result:
        pass

    ad.set_num_threads(4)
    result = Result()
    gone = weakref.ref(result)
    spread(lambda start, stop, result=result: None, 50, 1)
    del result
    for _ in range(100):  # a helper may just be leaving
        gc.collect()
        if gone() is None:
            break
        time.sleep(0.01)
    assert gone() is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own():
    run_in_two_threads(lambda start, stop: None)
    child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            assert threads._pool.helpers == 0
            run_in_two_threads(lambda start, stop: None)
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_import_starts_no_thread_and_the_end_does_not_hang():
    script = "import _thread; from adjoint.arrays import threads; before = _thread._count(), threads._pool.helpers\n"
    script += "ad.set_num_threads(3); threads.spread(lambda start, stop: None, 100, 1)\n"
    assert python(script + "print(json.dumps([*before, threads._pool.helpers]))") == [0, 0, 2]


@pytest.mark.parametrize(
    ("env", "count"),
    [
        ({"ADJOINT_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
        ({"ADJOINT_NUM_THREADS": "", "OMP_NUM_THREADS": "5,2"}, 5),
        ({"ADJOINT_NUM_THREADS": "0", "OMP_NUM_THREADS": "many"}, None),
    ],
)
def test_the_environment_gives_the_default(monkeypatch, env, count):
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert threads._default_count() == (count or available)


@pytest.mark.parametrize("count", [0, -1, 1.5, "2", True, None])
def test_a_wrong_number_of_threads(count):
    with pytest.raises(ValueError, match="positive integer"):
        ad.set_num_threads(count)
