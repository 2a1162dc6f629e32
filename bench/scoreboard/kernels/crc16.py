"""CRC-16 of bytes (CCITT, reflected polynomial 0x8408), bit by bit."""
import numpy as np

SIZES = {"tiny": (40,), "S": (1600,), "paper": (1000000,)}


def inputs(rng, N):
    return {"data": rng.integers(0, 256, N).astype(np.uint8)}


def crc16(data):
    crc = 0xFFFF
    for at in range(data.size):
        byte = int(data[at])
        for bit in range(8):
            if (crc ^ byte) & 1:
                crc = (crc >> 1) ^ 0x8408
            else:
                crc = crc >> 1
            byte = byte >> 1
    crc = ~crc & 0xFFFF
    return ((crc << 8) | (crc >> 8)) & 0xFFFF
