#!/usr/bin/env python3
"""Drives a live lift from outside, tick by tick, with nothing but Python's standard library.

    davit live scenarios/overhead_crane.yaml --controller 5600 --no-browser
    python3 examples/live_controller.py 5600

It brings the trolley of the overhead crane to its place and damps the swing of the load (docs/live.md has the protocol).
"""

import json
import socket
import sys
import time


class Lift:
    """A live run that this program drives: one object of JSON a line, both ways."""

    def __init__(self, port, channels, mode="lock-step"):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.send({"hello": {"mode": mode, "channels": channels}})
        self.channels = channels
        self.welcome = self.read()["welcome"]

    def send(self, message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def read(self):
        line = self.lines.readline()
        if not line:
            raise EOFError("the run has ended")
        message = json.loads(line)
        if "error" in message:
            raise RuntimeError(message["error"])
        return message

    def ticks(self):
        """Yields tick, time and the values of the channels, one after the other."""
        while True:
            message = self.read()
            if "tick" in message:
                yield message["tick"], message["t"], dict(zip(self.channels, message["values"]))
            elif "late" in message:
                print(message["late"], file=sys.stderr)


def main():
    port = int(sys.argv[1])
    duration = float(sys.argv[2]) if len(sys.argv) > 2 else 40.0
    mode = sys.argv[3] if len(sys.argv) > 3 else "lock-step"
    target = 6.0  # m, where the trolley shall be
    lift = Lift(port, ["trolley.travel", "rope.angle", "rope.angle_rate"], mode)
    levers = {lever["name"]: lever for lever in lift.welcome["levers"]}
    fastest = levers["trolley"]["speed"]
    begun, count, swing = time.perf_counter(), 0, 0.0
    try:
        for tick, t, x in lift.ticks():
            # Towards the target, slower where the load swings: the load is ahead of the trolley when the angle is positive.
            speed = 0.25 * (target - x["trolley.travel"]) + 2.0 * x["rope.angle"] + 1.0 * x["rope.angle_rate"]
            speed = max(-fastest, min(fastest, speed))
            answer = {"tick": tick, "speed": {"trolley": speed}}
            if t >= duration:
                answer = {"tick": tick, "stop": True, "end": True}
            lift.send(answer)
            count += 1
            swing = max(swing, abs(x["rope.angle"])) if t < duration / 2 else swing
            last = x
            if t >= duration:
                break
    except EOFError:
        pass
    wall = time.perf_counter() - begun
    print(
        f"{count} ticks in {wall:.2f} s ({1e3 * wall / max(count, 1):.3f} ms each); trolley at {last['trolley.travel']:.3f} m, "
        f"swing {57.3 * abs(last['rope.angle']):.3f} deg at the end, {57.3 * swing:.2f} deg at most"
    )


if __name__ == "__main__":
    main()
