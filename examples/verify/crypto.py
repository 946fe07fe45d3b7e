"""Ed25519 verification (RFC 8032, 5.1) and ChaCha20-Poly1305 (RFC 8439), to be read rather than to be fast."""
import functools
import hashlib
import struct

# Points are (X, Y, Z, T).
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    total = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def recover_x(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point_of(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x = recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


def bytes_of(point):
    inverse = pow(point[2], P - 2, P)
    return (point[1] * inverse % P | (point[0] * inverse % P & 1) << 255).to_bytes(32, "little")


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


@functools.lru_cache(4096)
def is_signed(key, message, signature):
    point, scalar = point_of(key), int.from_bytes(signature[32:], "little")
    if point is None or len(signature) != 64 or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    minus = (P - point[0], point[1], 1, P - point[3])
    return bytes_of(add(multiply(scalar, BASE), multiply(challenge, minus))) == signature[:32]


def chacha_block(key, counter, nonce):
    start = struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter) + nonce)
    s = list(start)
    for a, b, c, d in 10 * ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                            (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
        for x, y, z, bits in (a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7):
            s[x] = (s[x] + s[y]) & 0xFFFFFFFF
            word = s[z] ^ s[x]
            s[z] = (word << bits | word >> (32 - bits)) & 0xFFFFFFFF
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(s, start)))


@functools.lru_cache(4096)
def opened(key, nonce, data, sealed):
    """None where the tag does not fit, or something has another length than it must have."""
    if len(key) != 32 or len(nonce) != 12 or len(sealed) < 16:
        return None
    text, tag = sealed[:-16], sealed[-16:]
    once = chacha_block(key, 0, nonce)
    r, total = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, 0
    padded = b"".join(part + bytes(-len(part) % 16) for part in (data, text)) + struct.pack("<QQ", len(data), len(text))
    for at in range(0, len(padded), 16):
        total = (total + int.from_bytes(padded[at:at + 16], "little") + 2**128) * r % (2**130 - 5)
    if ((total + int.from_bytes(once[16:], "little")) % 2**128).to_bytes(16, "little") != tag:
        return None
    stream = b"".join(chacha_block(key, 1 + at // 64, nonce) for at in range(0, len(text), 64))
    return (int.from_bytes(text, "little") ^ int.from_bytes(stream[:len(text)], "little")).to_bytes(len(text), "little")
