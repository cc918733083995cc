#!/usr/bin/env python3
"""Checks a bundle of `research export` offline, with nothing but Python 3.9: written from docs/audit.md, section "A bundle".

    python3 verify.py FOLDER [--key NAME+ID+KEY ...] [--against CHECKPOINT ...]

Ends with 0 if nothing is wrong, 1 if something was changed, 2 if it could not look. Names the first fault.
"""

import base64
import datetime
import hashlib
import json
import os
import re
import stat
import sys

FORMAT = "research-threads audit bundle 1"
RECEIPT = "research-threads deletion receipt 1"
FILES = [
    "README.md", "bundle.json", "checkpoint", "consistency.jsonl", "deletions.jsonl", "events.jsonl", "keys.txt", "prices.jsonl",
]
MAX_LINE_BYTES = 16 * 1024 * 1024
MOST_NESTED = 64
EVENT = "appendedAt facts hash id index meta prevHash proof schemaVersion sealedSha256 streamId type version".split()


class Fault(Exception):
    """Something in the bundle is not as it must be."""


class CannotLook(Exception):
    """It is no bundle, or nothing can be said of it."""


# ---- Ed25519 (RFC 8032, section 5.1), verification alone ----

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def point_add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def point_equal(one, other):
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    if square == 0:
        return None if sign else 0
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P != 0:
        return None
    return P - x if (x & 1) != sign else x


def point_decompress(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def ed25519_verify(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, r = point_decompress(public_key), point_decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key is None or r is None or s >= L:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    return point_equal(point_multiply(s, BASE), point_add(r, point_multiply(h, key)))


# ---- RFC 8785 JSON ----


def canonical(value):
    """The value as RFC 8785 writes it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return number(float(value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"


def number(value):
    """As ECMAScript writes it."""
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number(-value)
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    shown = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return "%se%s%d" % (shown, "+" if point > 0 else "-", abs(point - 1))


def refuse_constant(name):
    raise ValueError(name)


def parse(text):
    """The object of a line, which must be canonical."""
    try:
        told = json.loads(text, parse_constant=refuse_constant)
        is_canonical = canonical(told) == text
    except (ValueError, OverflowError, RecursionError, UnicodeEncodeError):
        raise Fault("is not JSON")
    if not isinstance(told, dict) or not is_canonical:
        raise Fault("is no object in RFC 8785 JSON")
    return told


def members(text, names):
    told = parse(text)
    if sorted(told) != names:
        raise Fault("has the members %s, and must have %s" % (" ".join(sorted(told)), " ".join(names)))
    return told


# ---- what members are ----


def require(is_right, what):
    if not is_right:
        raise Fault(what)


def digest(value, name):
    require(isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None, "has a %s that is no SHA-256" % name)
    return bytes.fromhex(value)


def count(value, name):
    require(type(value) is int and 0 <= value < 2**53, "has a %s that is no whole number" % name)
    return value


def text_of(value, name):
    require(isinstance(value, str), "has a %s that is no text" % name)
    return value


def base64_of(value, length=None):
    """Its bytes, if it is the one way to write them."""
    try:
        decoded = base64.b64decode(value, validate=True)
    except (TypeError, ValueError):
        raise Fault("has something that is no base64")
    require(base64.b64encode(decoded).decode() == value, "has something that is no base64")
    require(length is None or len(decoded) == length, "has a hash that is none")
    return decoded


def hashes_of(value):
    require(isinstance(value, list), "has a proof that is no list")
    return [base64_of(one, 32) for one in value]


# ---- Merkle trees (RFC 9162, sections 2.1.3.2 and 2.1.4.2) ----


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def node(left, right):
    return sha256(b"\x01", left, right)


def root_of_inclusion(index, size, leaf, proof):
    if index >= size:
        return None
    at, last, root = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            root = node(sibling, root)
            while not at & 1 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            root = node(root, sibling)
        at, last = at >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(first, second, first_root, second_root, proof):
    if first > second:
        return False
    if first == second:
        return not proof and first_root == second_root
    if first == 0:
        return not proof and first_root == sha256()
    path = [first_root] + proof if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old, new = node(sibling, old), node(sibling, new)
            while not at & 1 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            new = node(new, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root


# ---- signed notes (C2SP signed-note, tlog-checkpoint) ----


def read_key(text):
    """(name, id, public key) of `name+id+base64(0x01 || public key)`."""
    parts = text.split("+", 2)
    require(len(parts) == 3, "is no verifier key")
    encoded = base64_of(parts[2], 33)
    require(encoded[0] == 1, "is no verifier key of Ed25519")
    require(key_id(parts[0], encoded[1:]) == parts[1], "is a verifier key whose id is not that of its name and key")
    return parts[0], parts[1], encoded[1:]


def key_id(name, public_key):
    return sha256(name.encode(), b"\n\x01", public_key)[:4].hex()


def read_note(note):
    """(text, signatures) of a signed note."""
    end = note.rfind("\n\n")
    require(end > 0 and note.endswith("\n"), "is no signed note")
    signatures = []
    for line in note[end + 2 : -1].split("\n"):
        match = re.fullmatch("— (\\S+) ([A-Za-z0-9+/]+={0,2})", line)
        require(match is not None, "has a line that is no signature")
        signed = base64_of(match.group(2))
        signatures.append((match.group(1), signed[:4].hex(), signed[4:]))
    return note[: end + 1], signatures


def read_checkpoint(text):
    lines = text.split("\n")
    require(len(lines) >= 4 and re.fullmatch("0|[1-9][0-9]{0,14}", lines[1]) is not None, "is no checkpoint")
    return {"origin": lines[0], "size": int(lines[1]), "root": base64_of(lines[2], 32)}


NOT_BELIEVED = "is signed by no key that the auditor believes: if the log has changed keys, name each with --key"
NOT_SIGNED = "has a signature that is not of the key that it names: the signature, or what it is under, was changed"


class Keys:
    """Those that the bundle tells, and those that the auditor believes. No signature covers the others beside it, so none makes another believed."""

    def __init__(self, told, named):
        self.known = told + named
        self.believed = {key for _, _, key in named}
        self.named = [name for name, _, _ in named]

    def signers(self, note):
        text, signatures = read_note(note)
        signers = set()
        for name, identifier, signature in signatures:
            keys = [key for known, known_id, key in self.known if (known, known_id) == (name, identifier)]
            if not keys:
                continue
            signer = next((key for key in keys if ed25519_verify(key, text.encode(), signature)), None)
            require(signer is not None, NOT_SIGNED)
            signers.add(signer)
        require(len(signers) > 0, "is not signed by a key of the log")
        return text, signers

    def hold(self, note):
        """A checkpoint that the auditor kept."""
        text, signers = self.signers(note)
        self.believed |= signers
        return read_checkpoint(text)

    def read(self, note):
        text, signers = self.signers(note)
        if self.believed and not signers & self.believed:
            raise Fault(NOT_BELIEVED + self.other_log(note))
        return text

    def other_log(self, note):
        """Says that the keys which the auditor named are of another log, if none has the name of one that signed."""
        signed = [name for name, _, _ in read_note(note)[1]]
        if not self.named or set(self.named) & set(signed):
            return ""
        return ". It is signed as %s, and the key that you named is of %s" % (", ".join(signed), ", ".join(self.named))


# ---- the bundle ----


class Bundle:
    def __init__(self, folder):
        self.folder = folder
        self.sums = {}

    def lines(self, name):
        """The lines of a file, in bounded memory, and whether they are what the digests say."""
        path = os.path.join(self.folder, name)
        try:
            mode = os.lstat(path).st_mode
        except OSError:
            raise Fault("%s: is missing" % name)
        if not stat.S_ISREG(mode):
            raise Fault("%s: is no plain file" % name)
        summed = hashlib.sha256()
        with open(path, "rb") as file:
            number = 0
            while True:
                line = file.readline(MAX_LINE_BYTES + 1)
                if not line:
                    break
                number += 1
                place = "%s line %d" % (name, number)
                if not line.endswith(b"\n"):
                    raise Fault("%s: %s" % (place, "is too long" if len(line) > MAX_LINE_BYTES else "has no end: the file was cut"))
                summed.update(line)
                try:
                    yield place, line[:-1].decode("utf-8")
                except UnicodeDecodeError:
                    raise Fault("%s: is not UTF-8" % place)
        if name in self.sums and self.sums[name] != summed.hexdigest():
            raise Fault("%s: is not what SHA256SUMS says" % name)

    def text(self, name):
        text = ""
        for _, line in self.lines(name):
            text += line + "\n"
            require(len(text) <= MAX_LINE_BYTES, "%s: is too long" % name)
        return text

    def read_sums(self):
        sums = {}
        for place, line in self.lines("SHA256SUMS"):
            match = re.fullmatch("([0-9a-f]{64})  (.+)", line)
            require(match is not None and match.group(2) in FILES and match.group(2) not in sums, "%s: is no digest of a file" % place)
            sums[match.group(2)] = match.group(1)
        require(sorted(sums) == sorted(FILES), "SHA256SUMS: does not name every file")
        self.sums = sums


def at(place, read, *values):
    """Says at which place something is wrong."""
    try:
        return read(*values)
    except Fault as fault:
        raise Fault("%s: %s" % (place, fault))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise Fault("%s: cannot be read" % place)


def require_scope(scope):
    values = [scope[name] for name in ("job", "thread", "tenant", "since")]
    require(all(value is None or isinstance(value, str) for value in values), "has a scope that is none")
    if scope["since"] is not None:
        require(re.fullmatch("[0-9T:-]{19}\\.[0-9]{3}Z", scope["since"]) is not None, "has a since that is no time")
        datetime.datetime.strptime(scope["since"], "%Y-%m-%dT%H:%M:%S.%fZ")


def require_flat(text):
    """Refuses brackets within brackets beyond what any parser can read, wherever texts do not hold them."""
    depth = 0
    for bracket in re.findall("[][{}]", re.sub(r'"(?:[^"\\]|\\.)*"', "", text)):
        depth += 1 if bracket in "[{" else -1
        require(depth <= MOST_NESTED, "is nested deeper than %d" % MOST_NESTED)


def read_head(bundle):
    try:
        text = bundle.text("bundle.json")
        require_flat(text)
        head = json.loads(text, parse_constant=refuse_constant)
        if head["format"] != FORMAT:
            raise CannotLook("its format is %r, and this script reads %r" % (head["format"], FORMAT))
        text_of(head["checkpoint"]["origin"], "checkpoint")
        for number in (head["checkpoint"]["size"], *(head["counts"][name] for name in ("events", "streams", "deletions"))):
            # JSON does not distinguish 7 from 7.0.
            require(type(number) in (int, float) and 0 <= number < 2**53 and number == int(number), "has a count that is no whole number")
        require_scope(head["scope"])
        return head
    except (Fault, ValueError, KeyError, TypeError, RecursionError) as error:
        raise CannotLook("it has no bundle.json of a bundle: %s" % error)


def require_undamaged(bundle):
    """A head that is not what the digests say was changed. Without whole digests the folder is no bundle."""
    try:
        bundle.read_sums()
    except Fault:
        return
    bundle.text("bundle.json")


def read_older(line, newest, keys):
    told = members(line, ["checkpoint", "proof"])
    older = read_checkpoint(keys.read(text_of(told["checkpoint"], "checkpoint")))
    is_right = is_consistent(older["size"], newest["size"], older["root"], newest["root"], hashes_of(told["proof"]))
    require(is_right, "does not prove that the log goes on from the checkpoint at %d" % older["size"])
    return older


def read_checkpoints(bundle, against, named):
    """The newest one, after those before it, and the sizes and roots of all of them."""
    keys = Keys([at(place, read_key, line) for place, line in bundle.lines("keys.txt")], named)
    kept = [(path, at(path, keys.hold, note)) for path, note in against]
    note = bundle.text("checkpoint")
    newest = at("checkpoint", lambda: read_checkpoint(read_note(note)[0]))
    roots = {}
    for place, line in bundle.lines("consistency.jsonl"):
        older = at(place, read_older, line, newest, keys)
        roots[older["size"]] = older["root"]
    at("checkpoint", keys.read, note)
    roots[newest["size"]] = newest["root"]
    for path, checkpoint in kept:
        if checkpoint["size"] not in roots:
            raise CannotLook("the bundle has no proof from the checkpoint %s: have it exported again with --against" % path)
        require(roots[checkpoint["size"]] == checkpoint["root"], "log root: the log of the bundle is not that of the checkpoint %s" % path)
    return newest, roots, keys


def read_prices(bundle):
    """By their digest; None where the exporter did not have the table any more."""
    tables = {}
    for place, line in bundle.lines("prices.jsonl"):
        told = at(place, members, line, ["prices", "sha256"])
        expected = at(place, digest, told["sha256"], "sha256")
        if told["prices"] is None:
            tables.setdefault(told["sha256"], None)
            continue
        if sha256(canonical(told["prices"]).encode()) != expected:
            raise Fault("%s: is not the table whose digest it names" % place)
        tables[told["sha256"]] = told["prices"]
    return tables


def check_charge(facts, tables):
    """Whether it is no computed charge, or could be recomputed."""
    charge = facts.get("charge")
    if not isinstance(charge, dict) or not isinstance(charge.get("pricesSha256"), str):
        return True
    named = charge["pricesSha256"]
    require(named in tables, "facts.charge: prices.jsonl has no line of its price table %s" % named)
    if charge.get("provenance") != "computed":
        return True
    if tables[named] is None:
        return False
    table, usage = tables[charge["pricesSha256"]], charge["usage"]
    used = {name: usage[name] or 0 for name in ("inputTokens", "cachedInputTokens", "outputTokens", "searches")}
    cached = min(used["cachedInputTokens"], used["inputTokens"])
    tokens = (
        (used["inputTokens"] - cached) * table["inputMicrosPerMillionTokens"]
        + cached * table["cachedInputMicrosPerMillionTokens"]
        + used["outputTokens"] * table["outputMicrosPerMillionTokens"]
    )
    least = -(-tokens // 1000000) + used["searches"] * table["perSearchMicros"]
    most = least + len(facts.get("calls") or [])
    require(least <= charge["micros"] <= most, "facts.charge: by its usage and price table it is %d micro-dollars" % least)
    return True


def moment(text):
    """A time in UTC with as many digits of a second as it has, to be compared."""
    match = re.fullmatch("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:\\.(\\d+))?Z", text)
    require(match is not None, "has a time that is none")
    # A since has three digits.
    return match.group(1), (match.group(2) or "").ljust(3, "0")[:3]


class Group:
    """A thread, with what its events and its jobs say of each other."""

    def __init__(self, thread_id):
        self.thread_id = thread_id
        self.named = []
        self.threads_of_jobs = {}
        # stream -> (head before, event of the erasure), each as the receipt has it
        self.erasures = {}
        self.deleted = None

    def end(self, is_whole):
        for job, thread in self.threads_of_jobs.items():
            require(thread == self.thread_id and job in self.named, "%s version 1 facts.threadId: the thread does not name this job" % job)
        missing = [job for job in self.named if job not in self.threads_of_jobs]
        require(not missing or not is_whole, "%s facts.jobId: the job %s is missing" % (self.thread_id, missing[0] if missing else ""))


class Events:
    """Follows the events of the bundle, one after the other."""

    def __init__(self, newest, tables, scope, on_group, on_removed):
        self.newest, self.tables, self.scope = newest, tables, scope
        self.on_group, self.on_removed = on_group, on_removed
        self.named, self.is_touched = set(), False
        self.stream, self.version, self.hash = "", 0, b""
        self.last, self.group = "", None
        self.streams = self.events = 0
        # Computed charges whose table the exporter did not have any more.
        self.unchecked = 0

    def take(self, line):
        event = members(line, EVENT)
        stream, version = text_of(event["streamId"], "streamId"), count(event["version"], "version")
        if stream != self.stream:
            self.begin(stream)
        try:
            self.check(event, stream, version)
        except Fault as fault:
            raise Fault("%s version %d %s" % (stream, min(version, self.version + 1), fault))
        except (TypeError, KeyError, ValueError, AttributeError):
            raise Fault("%s version %d facts: cannot be read" % (stream, version))
        self.follow(event, stream, version)

    def check(self, event, stream, version):
        require(version > self.version, "version: event %d comes again, or not in its place" % version)
        missing = "version: event %d is missing, or not in its place: event %d comes here" % (self.version + 1, version)
        require(version == self.version + 1, missing)
        previous, own = digest(event["prevHash"], "prevHash"), digest(event["hash"], "hash")
        require(previous == self.hash, "prev_hash: is not the hash of the event before")
        skeleton = {name: event[name] for name in ("facts", "id", "meta", "schemaVersion", "streamId", "type", "version")}
        sealed = b"" if event["sealedSha256"] is None else digest(event["sealedSha256"], "sealedSha256")
        require(sha256(previous, canonical(skeleton).encode(), sealed) == own, "hash: is not that of this event")
        logged = {name: event[name] for name in ("appendedAt", "hash", "streamId", "version")}
        leaf = sha256(b"\x00", canonical(logged).encode())
        root = root_of_inclusion(count(event["index"], "index"), self.newest["size"], leaf, hashes_of(event["proof"]))
        require(root == self.newest["root"], "proof: does not lead to the root of the checkpoint")
        if not check_charge(event["facts"], self.tables):
            self.unchecked += 1

    def begin(self, stream):
        self.streams += 1
        is_job = stream.startswith("job_")
        self.named.add(stream)
        job, thread = self.scope["job"], self.scope["thread"]
        is_its_thread = self.streams == 1 and stream.startswith("thr_")
        is_of_job = job is None or stream == job or is_its_thread
        is_of_thread = thread is None or stream == thread or (is_job and self.last == thread)
        require(is_of_job, "%s scope: is neither the job nor the thread that bundle.json says is all" % stream)
        require(is_of_thread, "%s scope: is neither the thread that bundle.json says is all nor a job of it" % stream)
        if not is_job:
            self.end_group()
            require(stream > self.last, "%s order: comes twice, or not in the order of ids" % stream)
            self.last = stream
            self.group = Group(stream) if stream.startswith("thr_") else None
        else:
            is_new = self.group is not None and stream not in self.group.threads_of_jobs
            require(is_new, "%s order: comes twice, or before the thread that it is of" % stream)
        self.stream, self.version, self.hash = stream, 0, bytes(32)

    def follow(self, event, stream, version):
        tenant, since = self.scope["tenant"], self.scope["since"]
        is_of_tenant = version != 1 or tenant is None or event["facts"].get("tenantId") == tenant
        require(is_of_tenant, "%s version 1 scope: is of another tenant than bundle.json says" % stream)
        self.is_touched = self.is_touched or since is None or moment(event["appendedAt"] or event["meta"]["occurredAt"]) >= moment(since)
        before = {"hash": self.hash.hex(), "version": self.version}
        self.version, self.hash = version, bytes.fromhex(event["hash"])
        self.events += 1
        if event["type"] == "SkeletonsRemoved":
            self.on_removed(event["facts"]["threads"])
        if self.group is None:
            return
        if version == 1 and stream.startswith("job_"):
            self.group.threads_of_jobs[stream] = event["facts"].get("threadId")
        if event["type"] == "JobAdded":
            self.group.named.append(event["facts"].get("jobId"))
        if event["type"] in ("ThreadDeleted", "ContentErased"):
            self.group.erasures[stream] = {"erased": {"hash": event["hash"], "version": version}, "head": before, "streamId": stream}
        if event["type"] == "ThreadDeleted":
            self.group.deleted = event["meta"]

    def end(self):
        missing = [one for one in (self.scope["job"], self.scope["thread"]) if one is not None and one not in self.named]
        require(not missing, "%s scope: is missing, and bundle.json says that the bundle is of it" % (missing[0] if missing else ""))
        self.end_group()

    def end_group(self):
        is_of_scope = self.last == "" or self.is_touched
        require(is_of_scope, "%s scope: nothing has come to it since %s, as bundle.json says" % (self.last, self.scope["since"]))
        self.is_touched = False
        if self.group is not None:
            self.group.end(self.scope["job"] is None)
            self.on_group(self.group)
        self.group = None


class Receipts:
    """The receipts of deletions, in the order of their threads."""

    def __init__(self, bundle, keys, roots, is_whole):
        self.lines, self.keys, self.roots, self.is_whole = bundle.lines("deletions.jsonl"), keys, roots, is_whole
        self.seen = 0
        self.last = ""
        # threads whose histories were removed and whose receipt has not come yet -> what the event of the tenant says
        self.removed = {}
        # deleted threads of which the bundle has none
        self.missing = []
        self.next = self.read()

    def read(self):
        for place, line in self.lines:
            self.seen += 1
            told = at(place, members, line, ["note", "streams", "threadId"])
            receipt = at(place, self.open, told)
            require(receipt["threadId"] > self.last, "%s: comes twice, or not in the order of ids" % place)
            self.last = receipt["threadId"]
            return place, receipt
        return None

    def open(self, told):
        text = self.keys.read(text_of(told["note"], "note"))
        first, said, end = (text.split("\n") + ["", ""])[:3]
        require(first == RECEIPT and end == "" and text.count("\n") == 2, "is no receipt of a deletion")
        receipt = members(said, "actor checkpoint deletedAt remains signedAt streams tenantId threadId".split())
        listed = "".join(canonical(stream) + "\n" for stream in told["streams"])
        require(sha256(listed.encode()).hex() == receipt["streams"]["sha256"], "lists other streams than those that were signed")
        require(receipt["threadId"] == text_of(told["threadId"], "threadId"), "is of another thread than it says")
        known = self.roots.get(receipt["checkpoint"]["size"])
        require(known is None or base64.b64encode(known).decode() == receipt["checkpoint"]["root"], "names another checkpoint than the log has")
        return {**receipt, "listed": told["streams"]}

    def expect(self, threads):
        """Of each of these threads there has to be a receipt, whether its events are there or not."""
        self.removed.update((thread["threadId"], thread) for thread in threads)

    def compare(self, group):
        while self.next is not None and self.next[1]["threadId"] < group.thread_id:
            self.take_removed()
        if self.next is None or self.next[1]["threadId"] > group.thread_id:
            # Where its histories were removed, this is a fault: see the end.
            if group.deleted is not None and group.thread_id not in self.removed:
                self.missing.append(group.thread_id)
            return
        place, receipt = self.next
        at(place, self.check, receipt, group)
        if group.thread_id in self.removed:
            self.take_removed()
        else:
            self.next = self.read()

    def take_removed(self):
        place, receipt = self.next
        at(place, self.check_removed, receipt)
        self.next = self.read()

    def check_removed(self, receipt):
        removed = self.removed.pop(receipt["threadId"], None)
        require(removed is not None, "is of a thread that the bundle does not show as deleted")
        is_same = (removed["deletedAt"], removed["streams"]) == (receipt["deletedAt"], receipt["streams"])
        require(is_same, "says something else than the event that records the removal")

    def check(self, receipt, group):
        require(receipt["threadId"] == group.thread_id and group.deleted is not None, "is of a thread that the bundle does not show as deleted")
        is_same = (receipt["actor"], receipt["deletedAt"]) == (group.deleted["actor"], group.deleted["occurredAt"])
        require(is_same, "says another actor or time than the event ThreadDeleted")
        listed = {stream["streamId"]: stream for stream in receipt["listed"]}
        for stream, erasure in group.erasures.items():
            require(listed.get(stream) == erasure, "says something else of %s than its events" % stream)
        require(not self.is_whole or set(listed) == set(group.erasures), "lists streams that the bundle does not show as erased")

    def end(self):
        while self.next is not None:
            self.take_removed()
        missing = next(iter(self.removed), None)
        require(missing is None, "deletions.jsonl: lacks the receipt of %s, whose histories were removed" % missing)


def verify(folder, named, against):
    """What was looked at. Raises Fault or CannotLook."""
    bundle = Bundle(folder)
    try:
        head = read_head(bundle)
    except CannotLook:
        require_undamaged(bundle)
        raise
    bundle.read_sums()
    for name in ("README.md", "bundle.json"):
        bundle.text(name)
    newest, roots, keys = read_checkpoints(bundle, against, named)
    is_named = (head["checkpoint"]["origin"], head["checkpoint"]["size"]) == (newest["origin"], newest["size"])
    require(is_named, "bundle.json: names another checkpoint than the bundle has")
    scope = head["scope"]
    receipts = Receipts(bundle, keys, roots, scope["job"] is None)
    events = Events(newest, read_prices(bundle), scope, receipts.compare, receipts.expect)
    for place, line in bundle.lines("events.jsonl"):
        try:
            events.take(line)
        except Fault as fault:
            raise Fault("%s: %s" % (place, fault))
    events.end()
    receipts.end()
    counts = head["counts"]
    is_counted = (counts["events"], counts["streams"], counts["deletions"]) == (events.events, events.streams, receipts.seen)
    require(is_counted, "bundle.json: counts other numbers of events, histories or receipts than there are")
    return events, newest, receipts


def named_key(text):
    try:
        return read_key(text)
    except (Fault, ValueError) as fault:
        raise CannotLook("--key %s %s" % (text, fault))


def kept_note(path):
    """A file that --against names. What is no checkpoint says nothing of the bundle."""
    with open(path, encoding="utf-8") as file:
        note = file.read(MAX_LINE_BYTES)
    try:
        read_checkpoint(read_note(note)[0])
    except Fault as fault:
        raise CannotLook("--against %s %s" % (path, fault))
    return path, note


def main(arguments):
    folders, keys, against = [], [], []
    target = folders
    for argument in arguments:
        if argument in ("--key", "--against"):
            target = keys if argument == "--key" else against
        else:
            target.append(argument)
            target = folders
    if len(folders) != 1 or target is not folders:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        named = [named_key(key) for key in keys]
        events, newest, receipts = verify(folders[0], named, [kept_note(path) for path in against])
    except Fault as fault:
        print(ascii(str(fault))[1:-1])
        return 1
    except (CannotLook, OSError, UnicodeDecodeError) as error:
        print("could not look: %s" % ascii(str(error))[1:-1], file=sys.stderr)
        return 2
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        print(ascii("something in it cannot be read: %s" % error)[1:-1])
        return 1
    for thread in receipts.missing:
        print(ascii("notice: thread %s is deleted and the bundle has no receipt of it" % thread)[1:-1])
    if events.unchecked > 0:
        print("notice: computed charges that could not be recomputed, as prices.jsonl has null for their price table: %d" % events.unchecked)
    print(
        "%d events of %d histories and %d receipts of deletions stand in the log %s of %d entries."
        % (events.events, events.streams, receipts.seen, newest["origin"], newest["size"])
    )
    if not named and not against:
        print("Who signed was not checked: the keys are those of the bundle. Name the key of the log with --key.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
