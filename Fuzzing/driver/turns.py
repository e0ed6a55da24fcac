"""A lock for cases: shared by concurrent cases, exclusive for a case that must run alone."""

import contextlib
import threading


class Turns:
    def __init__(self):
        self.condition = threading.Condition()
        self.running = 0
        self.is_reserved = False

    @contextlib.contextmanager
    def shared(self):
        """Runs the body concurrently with others. Waits while a case runs alone."""
        with self.condition:
            self.condition.wait_for(lambda: not self.is_reserved)
            self.running += 1
        try:
            yield
        finally:
            with self.condition:
                self.running -= 1
                self.condition.notify_all()

    @contextlib.contextmanager
    def alone(self):
        """Runs the body alone: waits until no other case runs, and keeps others from starting."""
        with self.condition:
            self.condition.wait_for(lambda: not self.is_reserved)
            self.is_reserved = True
            self.condition.wait_for(lambda: self.running == 0)
        try:
            yield
        finally:
            with self.condition:
                self.is_reserved = False
                self.condition.notify_all()
