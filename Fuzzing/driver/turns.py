"""When a case may run beside others, and when it has the machine for itself."""

import contextlib
import threading


class Turns:
    def __init__(self):
        self.condition = threading.Condition()
        self.running = 0
        self.is_reserved = False

    @contextlib.contextmanager
    def shared(self):
        """Waits while a case has the machine for itself."""
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
        """Waits until no other case runs, and keeps others from beginning."""
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
