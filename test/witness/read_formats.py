"""Reads the tables of one run in every format, by four other programs, and compares what they found.

    python3 test/witness/read_formats.py ARROW_DIR PARQUET_DIR CSV_DIR JSONL_DIR [--exact]

The four folders hold the same run. polars, pandas, pyarrow and DuckDB read each table of each folder that they can
read; rows, names of columns, sums of numbers and counts of missing values have to agree with what pyarrow reads of the
Arrow file. In a run of exact figures every figure has to be equal: to its last digit where a reader finds a decimal or a
text, and to the nearest double where it finds a double.
"""

import json
import math
import sys
from decimal import Decimal
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet

TABLES = ("orders", "fills", "trades", "equity", "cash", "marks", "metrics", "positions")


def figures(columns):
    """Of each column, which is a list: its missing values, and the sum of its numbers where it has numbers."""
    found = {}
    for name, values in columns.items():
        present = [value for value in values if value is not None and not is_nan(value)]
        numbers = [float(value) for value in present if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)]
        total = math.fsum(numbers) if numbers and len(numbers) == len(present) else None
        found[name] = (len(values), len(values) - len(present), total)
    return found


def is_nan(value):
    return isinstance(value, float) and math.isnan(value)


def exact_figures(path):
    """The columns of an exact Arrow file that have a scale, as decimals; none of a file of doubles."""
    with pyarrow.memory_map(str(path)) as source:
        table = pyarrow.ipc.open_file(source).read_all()
    scales = {field.name: int((field.metadata or {}).get(b"scale", 0)) for field in table.schema}
    return {
        name: [None if value is None else Decimal(value).scaleb(-scale) for value in table.column(name).to_pylist()]
        for name, scale in scales.items()
        if scale > 0
    }


def unequal(wanted, found):
    """Words for the first figure that differs, or None."""
    for name, values in wanted.items():
        for row, (value, own) in enumerate(zip(values, found[name], strict=True)):
            own = None if own == "" or is_nan(own) else Decimal(own) if isinstance(own, str) else own
            nearest = float(value) if isinstance(own, float) and value is not None else value
            if (own is None) != (value is None) or (own is not None and own != nearest):
                return f"{name}, row {row}: {own!r}, expected {value!r}"
    return None


def with_pyarrow(path, form):
    if form == "arrow":
        with pyarrow.memory_map(str(path)) as source:
            return pyarrow.ipc.open_file(source).read_all().to_pydict()
    if form == "parquet":
        return pyarrow.parquet.read_table(path).to_pydict()
    if form == "csv":
        options = pyarrow.csv.ConvertOptions(strings_can_be_null=True)
        return pyarrow.csv.read_csv(path, convert_options=options).to_pydict()
    return pyarrow.json.read_json(path).to_pydict()


def with_polars(path, form):
    read = {
        "arrow": lambda: polars.read_ipc(path),
        "parquet": lambda: polars.read_parquet(path),
        "csv": lambda: polars.read_csv(path, infer_schema_length=None),
        "jsonl": lambda: polars.read_ndjson(path, infer_schema_length=None),
    }
    return read[form]().to_dict(as_series=False)


def with_pandas(path, form):
    read = {
        "arrow": lambda: pandas.read_feather(path),
        "parquet": lambda: pandas.read_parquet(path),
        "csv": lambda: pandas.read_csv(path, keep_default_na=False, na_values=[""], low_memory=False),
        "jsonl": lambda: pandas.read_json(path, lines=True, dtype=False, precise_float=True),
    }
    frame = read[form]()
    return {
        name: [None if pandas.isna(value) else value for value in frame[name].astype(object).tolist()]
        for name in frame.columns
    }


def with_duckdb(path, form):
    if form == "arrow":
        with pyarrow.memory_map(str(path)) as source:
            table = pyarrow.ipc.open_file(source).read_all()
        return duckdb.from_arrow(table).to_arrow_table().to_pydict()
    reader = {"parquet": "read_parquet", "csv": "read_csv", "jsonl": "read_json"}[form]
    extra = {"parquet": "", "csv": ", sample_size = -1", "jsonl": ", format = 'newline_delimited', sample_size = -1"}[form]
    relation = duckdb.sql(f"select * from {reader}('{path}'{extra})")
    names = relation.columns
    rows = relation.fetchall()
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


READERS = {"pyarrow": with_pyarrow, "polars": with_polars, "pandas": with_pandas, "duckdb": with_duckdb}


def agree(wanted, found):
    """Words for what differs, or None. Texts of a format without types may be numbers, so sums are compared where both have one."""
    # polars gives the columns of JSON lines in an order of its own.
    if sorted(wanted) != sorted(found):
        return f"columns {list(found)}, expected {list(wanted)}"
    for name, (rows, missing, total) in wanted.items():
        own_rows, own_missing, own_total = found[name]
        if rows != own_rows:
            return f"{name}: {own_rows} rows, expected {rows}"
        if missing != own_missing:
            return f"{name}: {own_missing} missing values, expected {missing}"
        if total is not None and own_total is not None and not math.isclose(total, own_total, rel_tol=1e-12, abs_tol=1e-12):
            return f"{name}: sum {own_total!r}, expected {total!r}"
    return None


def main(folders, is_exact):
    forms = ("arrow", "parquet", "csv", "jsonl")
    wrong = []
    compared = exact_columns = 0
    for table in TABLES:
        arrow = Path(folders[0]) / f"{table}.arrow"
        exact = exact_figures(arrow)
        exact_columns += len(exact)
        columns = {**with_pyarrow(arrow, "arrow"), **exact}
        wanted = figures(columns)
        # Readers of CSV take an empty text for a missing one.
        without_empty = {name: [None if value == "" else value for value in values] for name, values in columns.items()}
        if not any(rows for rows, _, _ in wanted.values()):
            continue
        for form, folder in zip(forms, folders):
            path = Path(folder) / f"{table}.{form}"
            for name, read in READERS.items():
                # The integers of an exact Arrow file are the figures that the other files are compared with.
                if form == "arrow" and is_exact:
                    continue
                found = read(path, form)
                if form == "csv":
                    found = {key: [None if value == "" else value for value in values] for key, values in found.items()}
                fault = agree(figures(without_empty) if form == "csv" else wanted, figures(found))
                fault = fault or unequal(exact, found)
                compared += 1
                if fault is not None:
                    wrong.append(f"{path.name} by {name}: {fault}")
    for line in wrong:
        print(line)
    print(json.dumps({"compared": compared, "exact_columns": exact_columns, "wrong": len(wrong)}))
    is_form = exact_columns > 0 if is_exact else exact_columns == 0
    return 0 if is_form and compared >= (48 if is_exact else 64) and not wrong else 1


if __name__ == "__main__":
    folders = [each for each in sys.argv[1:] if each != "--exact"]
    if len(folders) != 4:
        sys.exit(__doc__)
    sys.exit(main(folders, "--exact" in sys.argv))
