"""Content codings (RFC 9110, section 8.4): valid ones, broken ones, and a strict decoder."""

import functools
import gzip
import zlib

LIMIT = 8 << 20


def encode(coding, data):
    if coding in ("gzip", "x-gzip"):
        return gzip.compress(data, mtime=0)
    if coding == "deflate":
        return zlib.compress(data)
    if coding == "raw deflate":
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
        return compressor.compress(data) + compressor.flush()
    return data


def mutate(rng, coding, data):
    """Encodes a body with a mutation.

    Returns (Content-Encoding, bytes, label, expected body or None).
    """
    packed = encode(coding, data)
    name = "deflate" if coding == "raw deflate" else coding
    kind = rng.choice(
        ["cut", "cut", "cut trailer", "checksum", "length", "garbage behind", "members", "empty member", "flip",
         "chain", "bomb", "bomb of bombs", "empty", "wrong name", "padding", "gzip flags", "half member"])
    label = f"{coding}: {kind}"
    if kind == "cut":
        return name, packed[:rng.randrange(0, len(packed))], label, None
    if kind == "cut trailer":
        return name, packed[:-rng.randint(1, 8)], label, None
    if kind == "checksum":
        place = -rng.randint(5, 8) if coding == "gzip" else -rng.randint(1, 4)
        return name, patch(packed, place, rng), label, None
    if kind == "length":
        return name, patch(packed, -rng.randint(1, 4), rng), label, None
    if kind == "garbage behind":
        return name, packed + rng.randbytes(rng.randint(1, 40)), label, None
    if kind == "members":
        parts = rng.randint(2, 4)
        size = max(1, len(data) // parts)
        members = b"".join(encode(coding, data[at:at + size]) for at in range(0, len(data), size))
        return name, members, label, data if coding == "gzip" and data else None
    if kind == "empty member":
        return name, packed + encode(coding, b""), label, data if coding == "gzip" else None
    if kind == "half member":
        return name, packed + packed[:rng.randrange(1, len(packed))], label, None
    if kind == "flip":
        return name, patch(packed, rng.randrange(len(packed)), rng), label, None
    if kind == "chain":
        depth = rng.choice([2, 3, 5, 6, 20, 200])
        names = []
        packed = data
        for _ in range(depth):
            layer = rng.choice(["gzip", "deflate"])
            names.append(layer)
            packed = encode(layer, packed)
        return ", ".join(names), packed, f"chain of {depth} codings", data if depth == 2 else None
    if kind == "bomb":
        return name, zeros(coding, rng.choice([2, 8, 64])), label, None
    if kind == "bomb of bombs":
        return "gzip, gzip", encode("gzip", zeros("gzip", 64)), label, None
    if kind == "empty":
        return name, b"", label, None
    if kind == "wrong name":
        return rng.choice(["gzip", "deflate", "identity", "br", "zstd", "compress", "gzip\t", "", "gzip;q=1", "GZIP"]), \
            packed, label, None
    if kind == "padding":
        return name, packed + bytes(rng.randint(1, 20)), label, None
    flags = bytearray(packed)
    if coding == "gzip":
        flags[3] = rng.choice([1, 2, 4, 8, 16, 31, 32, 0xE0])
    return name, bytes(flags), label, None


@functools.lru_cache
def zeros(coding, mebibytes):
    return encode(coding, bytes(mebibytes << 20))


def patch(data, place, rng):
    changed = bytearray(data)
    changed[place % len(changed)] ^= rng.randint(1, 255)
    return bytes(changed)


class Undecodable(Exception):
    pass


def decode(names, data):
    """Decodes strictly: truncated or invalid data, or bytes after it, raise `Undecodable`."""
    # Servers name codings for empty bodies, too: there is nothing to decode.
    if not data:
        return data
    for name in reversed([name.strip().lower() for name in names if name.strip()]):
        if name == "identity":
            continue
        if name in ("gzip", "x-gzip"):
            data = inflate_members(data)
        elif name == "deflate":
            try:
                data = inflate(data, zlib.MAX_WBITS)
            except Undecodable:
                # Many servers send raw deflate, and clients accept it (RFC 9110, section 8.4.1.2).
                # Some append zlib's checksum: libcurl and CurlTransport ignore up to four bytes
                # (see the README of MoyaTransportCurl).
                data = inflate(data, -zlib.MAX_WBITS, most_behind=4)
        else:
            raise Undecodable(name)
    return data


def inflate_members(data):
    """Decodes gzip data, which consists of one or more members (RFC 1952, section 2.2)."""
    result = b""
    while True:
        whole, data = inflate_one(data, zlib.MAX_WBITS | 16)
        result += whole
        if len(result) > LIMIT:
            raise Undecodable("too large")
        if not data:
            return result


def inflate(data, bits, most_behind=0):
    whole, rest = inflate_one(data, bits)
    if len(rest) > most_behind:
        raise Undecodable("bytes behind the end")
    return whole


def inflate_one(data, bits):
    decoder = zlib.decompressobj(bits)
    try:
        whole = decoder.decompress(data, LIMIT)
    except zlib.error as error:
        raise Undecodable(str(error))
    if not decoder.eof:
        raise Undecodable("cut or too large")
    return whole, decoder.unused_data
