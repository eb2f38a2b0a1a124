"""Reads the tables of a run folder with pyarrow, and recomputes their hashes.

The byte layout is the one that data/README.md describes; nothing of it is shared with the
code that wrote the files. A run written with exact integers has all its hashes recomputed (the
digest of the run is that of its event log: read_log.py). A run
written with doubles does not hold the exact values: its tables are opened and counted only.

Usage: read_arrow.py RUN
"""

import hashlib
import json
import pathlib
import struct
import sys

import pyarrow as pa

BLOCK_ROWS = 4096


def integers(column, field):
    """The values of a column as integers, null as 0."""
    if pa.types.is_dictionary(field.type):
        column = column.indices
    elif pa.types.is_timestamp(field.type):
        column = column.cast(pa.int64())
    return [0 if value is None else int(value) for value in column.to_pylist()]


def integer_format(field):
    """The format of one integer of a column, at its width."""
    if pa.types.is_dictionary(field.type) or pa.types.is_boolean(field.type):
        return "B"
    return "i" if pa.types.is_int32(field.type) else "q"


def column_bytes(column, field):
    """The bytes of the rows of one column in one block; none of a nullable column without values."""
    rows = len(column)
    if field.nullable and column.null_count == rows:
        return b""
    head = field.name.encode() + b"\0"
    if field.nullable:
        valid = bytearray((rows + 7) // 8)
        for row, is_valid in enumerate(column.is_valid().to_pylist()):
            valid[row // 8] |= is_valid << (row % 8)
        head += bytes(valid)
    else:
        assert column.null_count == 0, f"{field.name} holds null"
    if pa.types.is_string(field.type):
        texts = [(value or "").encode() for value in column.to_pylist()]
        return head + struct.pack(f"<{rows}I", *map(len, texts)) + b"".join(texts)
    if pa.types.is_floating(field.type):
        return head + struct.pack(f"<{rows}d", *(value or 0.0 for value in column.to_pylist()))
    return head + struct.pack(f"<{rows}{integer_format(field)}", *integers(column, field))


def table_hash(table):
    """The hash of a table: blocks of 4,096 rows, each hashed behind the hash before it."""
    previous = bytes(32)
    stored = [
        (at, field)
        for at, field in enumerate(table.schema)
        if b"derived_from" not in (field.metadata or {})
    ]
    columns = [(table.column(at).combine_chunks(), field) for at, field in stored]
    for start in range(0, table.num_rows, BLOCK_ROWS):
        state = hashlib.sha256(previous)
        for column, field in columns:
            state.update(column_bytes(column.slice(start, BLOCK_ROWS), field))
        previous = state.digest()
    return previous.hex()


def check(folder):
    """The mistakes of a run folder, and what was checked."""
    manifest = json.loads((folder / "manifest.json").read_text())
    mistakes = []

    def expect(place, expected, found):
        if expected != found:
            mistakes.append(f"{place}: expected {expected}, found {found}")

    for entry in manifest["tables"]:
        name = entry["name"]
        with pa.memory_map(str(folder / entry["file"])) as source:
            table = pa.ipc.open_file(source).read_all()
        table.validate(full=True)
        metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
        expect(f"{name}, table", name, metadata["pitclock.table"])
        expect(f"{name}, version", str(entry["schema_version"]), metadata["pitclock.schema_version"])
        expect(f"{name}, rows", entry["rows"], table.num_rows)
        if not manifest["exact"]:
            continue
        expect(f"{name}, hash", entry["digest"], table_hash(table))
    if not manifest["exact"]:
        return mistakes, "opened and counted; its values are doubles, the hashes are not checked"
    return mistakes, f"{len(manifest['tables'])} hashes"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    mistakes, summary = check(pathlib.Path(sys.argv[1]))
    for mistake in mistakes:
        print(mistake)
    print(f"{sys.argv[1]}: {f'{len(mistakes)} mistakes' if mistakes else summary}")
    sys.exit(1 if mistakes else 0)


main()
