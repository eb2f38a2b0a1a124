"""Reads an event log by its written description, and holds it to the tables of the same run.

The layout is read from the two tables of data/README.md; nothing of it is shared with the code that wrote the
log. It recomputes the digest, decodes every record to its last byte, and compares what trades, orders and marks
say with the Arrow tables of a run that was written with exact integers.

Usage: read_log.py LOG RUN GUIDE
"""

import hashlib
import json
import pathlib
import re
import struct
import sys

import pyarrow as pa

PAGE = 65_536


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def columns(cell):
    """(optional, name, mark) of each column of a cell."""
    return [
        (found[0] == "?", found[1], found[2])
        for found in re.findall(r"(\??)`([^`]+)`(\{\}|[*\"#!]?)", cell)
    ]


def read_guide(path):
    """The layout of each family by its code, and the words by column."""
    families, words = {}, {}
    for line in path.read_text().splitlines():
        row = cells(line) if line.startswith("| ") else []
        if len(row) == 6 and row[0].isdigit():
            families[int(row[0])] = (columns(row[1])[0][1], *map(columns, row[2:]))
        elif len(row) == 2 and re.match(r"`\w+\.", row[0]):
            for _, name, _ in columns(row[0]):
                words[name] = row[1].split(", ")
    return families, words


def digest_of(head, records):
    state = hashlib.sha256(head).digest()
    for start in range(0, len(records), PAGE):
        state = hashlib.sha256(state + records[start : start + PAGE]).digest()
    return state.hex()


def text_at(records, at):
    (length,) = struct.unpack_from("<I", records, at)
    return records[at + 4 : at + 4 + length].decode(), at + (length + 4 + 7) // 8 * 8


def read_behind(records, at, mark):
    if mark in ('"', "#", "{}"):
        text, end = text_at(records, at)
        return {'"': str, "#": int, "{}": json.loads}[mark](text), end
    return struct.unpack_from("<q" if mark == "*" else "<d", records, at)[0], at + 8


def read_record(records, at, family, words):
    """The columns of a record, and where it ends."""
    name, wide, ints, codes, behind = family
    (bits,) = struct.unpack_from("<I", records, at + 4)
    row, place = {}, at + 8
    for _, column, mark in wide:
        (row[column],) = struct.unpack_from("<q" if mark == "*" else "<d", records, place)
        place += 8
    for _, column, _ in ints:
        (row[column],) = struct.unpack_from("<i", records, place)
        place += 4
    for _, column, _ in codes:
        code = records[place]
        row[column] = None if code == 0 else words[f"{name}.{column}"][code - 1]
        place += 1
    while (place - at) % 8 != 0:
        assert records[place] == 0, f"{name}: a byte that is no column is zero"
        place += 1
    bit, missing = 0, []
    for is_optional, column, mark in behind:
        is_there = not any(column.startswith(f"{part}.") for part in missing)
        if is_optional:
            is_there = is_there and (bits >> bit) & 1 == 1
            bit += 1
        is_row = mark == "" and any(other.startswith(f"{column}.") for _, other, _ in behind)
        if mark == "!":
            row[column] = is_there
        elif is_row:
            if not is_there:
                missing.append(column)
        elif is_there:
            row[column], place = read_behind(records, place, mark)
    return row, place


def read_log(records, families, words):
    """Every event: family, time, number, cause and columns."""
    time, cause, number, at = 0, 0, 0, 0
    while at < len(records):
        head, bits = struct.unpack_from("<II", records, at)
        code, end = head & 255, at + (head >> 8) * 8
        if code == 0:
            place = at + 8
            for bit in range(3):
                if (bits >> bit) & 1 == 0:
                    continue
                (value,) = struct.unpack_from("<d", records, place)
                place += 8
                if bit == 0:
                    time = int(value)
                elif bit == 1:
                    cause = int(value)
                else:
                    number = int(value) - 1
        else:
            number += 1
            row, place = read_record(records, at, families[code], words)
            yield families[code][0], time, number, cause, row
        assert place == end, f"a record ends at byte {end}, found {place}"
        at = end


def table_rows(folder, name):
    with pa.memory_map(str(folder / f"{name}.arrow")) as source:
        return pa.ipc.open_file(source).read_all().to_pylist()


def micros(value):
    return int(value.timestamp() * 1_000_000 + 0.5) if hasattr(value, "timestamp") else value


def order_row(time, number, cause, row):
    return (number, time, cause, row["change"], int(row["price"]), row["side"], row["type"], row["state"],
            row["reason"], row.get("label", ""), row["postOnly"], row["reduceOnly"])


def fill_rows(number, row):
    return [
        (number, int(row["price"]), row[f"{side}.side"], row[f"{side}.rule"], row[f"{side}.fee"],
         row[f"{side}.feeCurrency"], row[f"{side}.realized"], row[f"{side}.account"])
        for side in ("maker", "taker")
    ]


def check(log, folder, guide):
    head, _, records = log.partition(b"\n")
    families, words = read_guide(guide)
    manifest = json.loads((folder / "manifest.json").read_text())
    mistakes = []

    def expect(place, expected, found):
        if expected != found:
            mistakes.append(f"{place}: expected {expected}, found {found}")

    expect("digest", manifest["digest"], digest_of(head + b"\n", records))
    orders, fills, trades, marks, counts = [], [], [], [], {}
    for family, time, number, cause, row in read_log(records, families, words):
        counts[family] = counts.get(family, 0) + 1
        if family == "order":
            orders.append(order_row(time, number, cause, row))
        elif family == "trade":
            trades.append((number, time, int(row["price"]), row["side"], int(row["index"]), int(row["mark"])))
            fills.extend(fill_rows(number, row))
        elif family in ("mark", "index", "delivery_price"):
            marks.append((number, int(row["price"])))
    # Recorded trades and price levels are told to tables that ask for them, and are in no log.
    own = [r for r in table_rows(folder, "trades") if r["trade_id"] != 0]
    told = sum(entry["rows"] for entry in manifest["tables"] if entry["name"] in ("trades", "book")) - len(own)
    expect("events", manifest["events"] - told, sum(counts.values()))
    found = {
        "orders": [
            (r["event"], micros(r["time"]), r["cause"], r["change"], r["price"], r["side"], r["type"], r["state"],
             r["reason"], r["label"], r["post_only"], r["reduce_only"])
            for r in table_rows(folder, "orders")
        ],
        "fills": [
            (r["event"], r["price"], r["side"], r["rule"], r["fee"], r["fee_currency"], r["realized"], r["account_id"])
            for r in table_rows(folder, "fills")
        ],
        "trades": [
            (r["event"], micros(r["time"]), r["price"], r["side"], r["index_price"], r["mark_price"])
            for r in own
        ],
        "marks": [(r["event"], r["price"]) for r in table_rows(folder, "marks")],
    }
    for name, rows in (("orders", orders), ("fills", fills), ("trades", trades), ("marks", marks)):
        expect(f"{name}, rows", len(found[name]), len(rows))
        for at, (table, event) in enumerate(zip(found[name], rows)):
            if table != event:
                expect(f"{name}, row {at}", table, event)
                break
    return mistakes, f"digest {manifest['digest']}, {sum(counts.values())} events of {len(counts)} families"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    log, folder, guide = map(pathlib.Path, sys.argv[1:])
    mistakes, summary = check(log.read_bytes(), folder, guide)
    for mistake in mistakes:
        print(mistake)
    print(f"{log}: {f'{len(mistakes)} mistakes' if mistakes else summary}")
    sys.exit(1 if mistakes else 0)


main()
