#!/usr/bin/env python3
"""Load of a class: pilots on 150 m of tether, half of them wound round a caisson, and instructors, on one server.

  tools/class_load.py build/hawser [--pilots 48] [--instructors 4] [--seconds 30] [--wound 0.5]

Starts the server, flies, and prints: how many tethers are wound in the end, processor time of the server and of this script for each
second of the clock, flights' pace, and how late frames came (against an even 30 a second, from the earliest of each connection; one that did not come
counts as late). Asked for are real time and 99 % within 5 ms. On a busy machine lateness is the machine's: then the processor time
counts.
"""
import argparse, base64, json, math, os, re, select, socket, struct, subprocess, sys, tempfile, time

SETTLE = 5  # s before the measurement begins
RATE = 30  # frames a second that a connection gets unless it asks for others
LATE = 0.005  # s
ROUND = 2.3  # m from the caisson's axis to the tether's nodes round it: elements of 2 m between them just clear its radius of 2 m
SCENE = """hawser: 1
include: open_water
name: class load
environment:
  seabed: {depth: 12, stiffness: 1e5, damping: 1e4, friction: 0.5}
bodies:
  - {name: caisson, motion: fixed, position: [60, 0, -6], shapes: [{cylinder: {radius: 2, length: 13}, material: concrete}]}
vehicles:
  - {name: rov, model: bluerov2_heavy, position: [VX, VY, -8]}
cables:
  - name: tether
    sections:
      - {length: 150, elements: 75, diameter: 0.0076, mass_per_length: 0.047, EA: 5e4, EI: 0.015, GJ: 0.015,
         damping: {axial: 100, torsion: 0.0015}, drag: {normal: 1.2, tangential: 0.01},
         added_mass: {normal: 1, tangential: 0}, compression: 0.01, break: 1520}
    ends:
      a: {on: davit.sheave, at: [0.15, 0, 0], joint: pin}
      b: {on: rov, at: tether, joint: pin}
    shape: SHAPE
contact: {ignore: [[tether, davit.sheave]]}
entanglement: [{cable: tether}]
"""


def scene(wound):
    """Wound: once round the caisson on the way to the vehicle."""
    if not wound:
        return SCENE.replace("VX", "130").replace("VY", "20").replace("SHAPE", "catenary")
    points = [[-5.75, 0, 1.55], [0, -0.5, -6], [50, -2.4, -8]]
    for k in range(49):
        angle = -math.pi / 2 + 2 * math.pi * k / 48
        points.append([round(60 + ROUND * math.cos(angle), 3), round(ROUND * math.sin(angle), 3), round(-8 + 0.0125 * k, 3)])
    # so far that the tether, 150 m long, lies on the caisson with little to spare
    way = sum(math.dist(a, b) for a, b in zip(points, points[1:]))
    x = round(points[-1][0] + math.sqrt((149.7 - way) ** 2 - points[-1][1] ** 2), 3)
    points.append([x, 0, -8])
    return SCENE.replace("VX", str(x + 0.2)).replace("VY", "0").replace("SHAPE", "{points: %s}" % json.dumps(points))


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: hawser.1\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(65536)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            sys.exit(f"the server refused: {head.decode()}")
        self.id, self.frames, self.seq, self.wound = 0, [], 0, False

    def hear(self, message):
        if message["type"] == "entanglement": self.wound = any(entry["number"] != 0 for entry in message["wound"])

    def send(self, message):
        data = json.dumps(message).encode()
        mask = os.urandom(4)
        head = b"\x81" + (bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data)))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def messages(self):
        """Whole messages that have come, as (opcode, bytes)."""
        self.buffer += self.socket.recv(1 << 20)
        while len(self.buffer) >= 2:
            size, at = self.buffer[1] & 127, 2
            if size == 126:
                if len(self.buffer) < 4: return
                size, at = struct.unpack(">H", self.buffer[2:4])[0], 4
            elif size == 127:
                if len(self.buffer) < 10: return
                size, at = struct.unpack(">Q", self.buffer[2:10])[0], 10
            if len(self.buffer) < at + size: return
            yield self.buffer[0] & 15, self.buffer[at:at + size]
            self.buffer = self.buffer[at + size:]

    def ask(self, message, patience=120):
        self.id += 1
        self.send({**message, "id": self.id})
        end = time.time() + patience
        while time.time() < end:
            select.select([self.socket], [], [], 1)
            for opcode, data in self.messages():
                if opcode != 1: continue
                reply = json.loads(data)
                self.hear(reply)
                if reply.get("id") == self.id:
                    if reply["type"] == "error": sys.exit(f"{message['type']}: {reply['message']}")
                    return reply
        sys.exit(f"{message['type']}: no answer")


def change_scene(port, path, text):
    """The server's scene from now on; those who fly stay in theirs."""
    def count():
        watcher = Connection(port)
        draft = watcher.ask({"type": "hello", "version": 1})["draft"]
        watcher.socket.close()
        if not draft["good"]: sys.exit(f"the scene is refused: {draft['error']['message']}")
        return draft["count"]

    before = count()
    open(path + ".new", "w").write(text)
    os.rename(path + ".new", path)
    for _ in range(60):
        time.sleep(0.5)
        if count() > before: return
    sys.exit("the server did not read its scene again")


def work(pid):
    """Processor time of a process, s."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--pilots", type=int, default=48)
    parser.add_argument("--instructors", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--wound", type=float, default=0.5, help="share of the pilots whose tether is wound round the caisson")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="hawser-class-")
    path = os.path.join(folder, "class.yaml")
    wound = round(options.wound * options.pilots)
    open(path, "w").write(scene(wound > 0))
    # a server has one scene: it reads the second from the same file when the first half flies
    server = subprocess.Popen([options.program, "train", path, "--watch", "--flights", folder, "--max-flights", str(options.pilots)],
                              stdout=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)", server.stdout.readline()).group(1))
    server.stdout.readline()
    secret = server.stdout.readline().strip().rsplit("instructor=", 1)[1]
    pilots, teachers, flights = [], [], []
    for i in range(options.pilots):
        if i == wound and i > 0: change_scene(port, path, scene(False))
        pilot = Connection(port)
        pilot.ask({"type": "hello", "version": 1, "name": f"pilot {i}"})
        time.sleep(0 if i < 8 else 1.0)  # flights may be begun one a second
        flights.append(pilot.ask({"type": "start", "options": {"scene": "preset", "record": True}})["flight"])
        pilot.ask({"type": "command", "name": "arm", "value": True})
        pilot.ask({"type": "command", "name": "mode", "value": "depth_hold"})
        pilots.append(pilot)
    for i in range(options.instructors):
        teacher = Connection(port)
        teacher.ask({"type": "hello", "version": 1, "instructor": secret, "name": f"instructor {i}"})
        teacher.ask({"type": "join", "flight": flights[i % len(flights)], "role": "instructor"})
        teachers.append(teacher)
    everybody = pilots + teachers
    byfile = {c.socket.fileno(): c for c in everybody}
    begun, start, before, own, told = time.time(), None, 0.0, 0.0, 0.0
    while start is None or time.time() - start < options.seconds:
        if start is None and time.time() - begun > SETTLE:
            # what waited while the others began is not part of it
            start, before, own = time.time(), work(server.pid), work(os.getpid())
            for c in everybody: c.frames = []
        for fd in select.select(list(byfile), [], [], 0.05)[0]:
            now = time.time()
            for opcode, data in byfile[fd].messages():
                if opcode == 1 and b'"entanglement"' in data:
                    byfile[fd].hear(json.loads(data))
                if opcode == 2:
                    byfile[fd].frames.append((now, struct.unpack_from("<d", data, 8)[0]))
        if time.time() - told > 0.1:
            told = t = time.time()
            for i, pilot in enumerate(pilots):
                pilot.seq += 1
                axes = [0.4 + 0.4 * math.sin(0.31 * (t - begun) + i), 0.3 * math.sin(0.17 * (t - begun)), 0, 0.4 * math.sin(0.41 * (t - begun))]
                pilot.send({"type": "pilot", "seq": pilot.seq, "t": 1000 * t, "axes": axes})
    passed = time.time() - start
    spent, own = work(server.pid) - before, work(os.getpid()) - own
    wraps = [pilot.ask({"type": "read", "channels": ["tether.wrap"]})["values"][0] or 0.0 for pilot in pilots if pilot.wound]
    late, simulated = [], 0.0
    for c in everybody:
        if len(c.frames) < 2: continue
        offsets = [wall - at for wall, at in c.frames]
        least = min(offsets)
        late += [o - least for o in offsets]
        if c in pilots: simulated += c.frames[-1][1] - c.frames[0][1]
    missing = max((math.floor(RATE * passed) - 1) * len(everybody) - len(late), 0)
    late = sorted(late) + [math.inf] * missing
    print(f"{len(pilots)} pilots, {len(wraps)} of them with wound tethers "
          f"({math.degrees(sum(wraps) / max(len(wraps), 1)):.0f} degrees of contact each), {len(teachers)} instructors, {passed:.0f} s: {spent / passed:.2f} cores of the server, "
          f"{100 * spent / max(simulated, 1e-9):.2f} % of a core for each pilot's simulated second, "
          f"pace {simulated / passed / len(pilots):.2f}; this script took {own / passed:.2f} cores")
    share = sum(offset <= LATE for offset in late) / max(len(late), 1)
    print(f"frames {len(late)}, {missing} of them missing: half within {1000 * late[len(late) // 2]:.1f} ms, 99 % within "
          f"{1000 * late[int(0.99 * len(late))]:.1f} ms of their time, {100 * share:.2f} % within {1000 * LATE:.0f} ms (asked for: 99 %)")
    server.terminate()
    server.wait()
    subprocess.run(["rm", "-r", folder])


main()
