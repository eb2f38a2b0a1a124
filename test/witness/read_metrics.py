"""Computes the ratios of runs again with pandas, from the equity that the runs wrote, and compares them with `metrics`.

    python3 test/witness/read_metrics.py RUN_DIR...

Each run has to sample equity at the ends of its periods and at midnight (`--set record.equity=15m`), and money may come in
at its start alone. The formulas are those of the section "Metrics" of data/README.md. A ratio is right when its six digits
in the summary are; a ratio that has no value needs the reason that this program finds.
"""

import json
import math
import sys
from pathlib import Path

import numpy
import pandas
import pyarrow.ipc

UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
DAY = 86_400
YEAR = 365 * DAY
RETURNS_MIN = 30
ANNUAL_DAYS_MIN = 7
NORMAL_5 = -1.6448536269514722


def read(folder, table):
    with pyarrow.memory_map(str(folder / f"{table}.arrow")) as source:
        return pyarrow.ipc.open_file(source).read_all().to_pandas()


def seconds(times):
    return times.astype("datetime64[us, UTC]").astype("int64") / 1e6


def series_of(folder, account, currency):
    """Equity of an account at its samples, in one currency or in USD, beside the index of the benchmark."""
    equity = read(folder, "equity")
    own = equity[(equity.account == account) & ~equity.house].drop_duplicates(["time", "currency"], keep="last")
    marks = read(folder, "marks")
    indices = marks[marks.kind == "index"]

    def price_at(name, event):
        known = indices[(indices.index_name == name) & (indices.event <= event)].price
        return known.iloc[-1] if len(known) > 0 else math.nan

    rows = own.pivot(index=["time", "event"], columns="currency", values="equity").reset_index()
    benchmark = json.loads((folder / "manifest.json").read_text())["metrics"]["benchmark"]
    held = [name for name in rows.columns if name not in ("time", "event")]
    if currency != "USD":
        value = rows[currency]
    else:
        stable = {"USDC", "USDT"}
        worth = [
            rows[name] * [1.0 if name in stable else price_at(f"{name.lower()}_usd", event) for event in rows.event]
            for name in held
        ]
        value = sum(worth)
    found = pandas.DataFrame({"time": seconds(rows.time), "equity": value, "event": rows.event})
    found["benchmark"] = [price_at(benchmark, event) for event in rows.event]
    if found.equity.isna().iloc[0]:
        # The series in USD begins with the first price, before anything was traded.
        first = indices[indices.index_name == f"{held[0].lower()}_usd"].iloc[0]
        found.loc[0, "time"] = seconds(pandas.Series([first.time])).iloc[0]
        found.loc[0, "equity"] = rows[held[0]].iloc[0] * first.price
        found.loc[0, "benchmark"] = first.price
    return found.dropna(subset=["equity"]), benchmark


def periods_of(samples, every, start, until):
    """Returns of all periods, with their lengths; less than half of one at an end joins the one beside it."""
    at_end = ((samples.time - start) % every == 0) | (samples.time == until)
    points = pandas.concat([samples.iloc[:1], samples.iloc[1:][at_end.iloc[1:]]])
    ends = list(range(1, len(points)))
    lengths = points.time.diff() / every
    if len(ends) > 1 and lengths.iloc[ends[0]] < 0.5:
        ends.pop(0)
    if len(ends) > 1 and lengths.iloc[ends[-1]] < 0.5:
        ends.pop(-2)
    kept = points.iloc[[0, *ends]]
    frame = pandas.DataFrame(
        {
            "t": kept.time.diff() / every,
            "r": kept.equity / kept.equity.shift() - 1,
            "b": kept.benchmark / kept.benchmark.shift() - 1,
        }
    ).iloc[1:]
    return points, frame


def moments(values, lengths):
    mean = values.sum() / lengths.sum()
    z = (values - mean * lengths) / numpy.sqrt(lengths)
    return mean, z, math.sqrt((z**2).sum() / (len(z) - 1))


def quotient(above, below, reason):
    return above / below if below != 0 else reason


def ratios_of(samples, run):
    """Every metric of returns that equity determines: a number, or the reason why there is none."""
    every, start, until = run["every"], run["from"], run["to"]
    per_year, risk_free = run["periods_per_year"], run["risk_free"]
    points, frame = periods_of(samples, every, start, until)
    r, t = frame.r, frame.t
    x = r - ((1 + risk_free) ** (t / per_year) - 1)
    span = points.time.iloc[-1] - points.time.iloc[0]
    n = len(r)
    growth = points.equity.iloc[-1] / points.equity.iloc[0]
    mean, z, sd = moments(r, t)
    x_mean, x_z, x_sd = moments(x, t)
    falls = (points.equity / points.equity.cummax() - 1).iloc[1:]
    lengths = points.time.diff().iloc[1:]
    ulcer = math.sqrt((falls**2 * lengths).sum() / lengths.sum())
    down = math.sqrt((x.clip(upper=0) ** 2 / t).mean()) * math.sqrt(per_year)
    cagr = growth ** (YEAR / span) - 1
    rho = abs((x_z * x_z.shift()).sum() / (x_z**2).sum()) if x_sd > 0 else 0
    smart = math.sqrt(1 + 2 * sum((n - j) / n * rho**j for j in range(1, n)))
    sharpe = quotient(x_mean, x_sd, "no_variance")
    yearly = {
        "cagr": cagr,
        "volatility": sd * math.sqrt(per_year),
        "sharpe": sharpe if sharpe == "no_variance" else sharpe * math.sqrt(per_year),
        "smart_sharpe": sharpe if sharpe == "no_variance" else sharpe * math.sqrt(per_year) / smart,
        "downside_deviation": down,
        "sortino": quotient(x_mean * per_year, down, "no_loss"),
        "martin": quotient(cagr - risk_free, ulcer, "no_drawdown"),
    }
    is_annual = n >= RETURNS_MIN and span >= ANNUAL_DAYS_MIN * DAY
    days = samples.groupby(numpy.ceil(samples.time / DAY)).equity.last()
    days = days / days.shift(fill_value=points.equity.iloc[0]) - 1
    gains, losses = r.clip(lower=0).sum(), -r.clip(upper=0).sum()
    moved, moved_days = r[r != 0], days[days != 0]
    tail = [abs(numpy.percentile(r, share)) for share in (95, 5)]
    found = {
        "periods": n,
        "total_return": growth - 1,
        **{name: value if is_annual else "too_short" for name, value in yearly.items()},
        "max_drawdown": min(falls.min(), 0),
        "ulcer_index": ulcer,
        "omega": quotient(gains, losses, "no_loss"),
        "gain_to_pain": quotient(r.sum(), losses, "no_loss"),
        "var_95": numpy.percentile(r, 5),
        "var_95_normal": mean + NORMAL_5 * sd,
        "cvar_95": r.nsmallest(math.floor((n - 1) * 0.05) + 1).mean(),
        "tail_ratio": quotient(*tail, "no_loss"),
        "win_rate_periods": quotient((moved > 0).sum(), len(moved), "no_variance"),
        "best_period": r.max(),
        "worst_period": r.min(),
        "best_day": days.max(),
        "worst_day": days.min(),
        "win_days": quotient((moved_days > 0).sum(), len(moved_days), "no_variance"),
        "consecutive_wins": longest(r > 0),
        "consecutive_losses": longest(r < 0),
        **shape_of(z),
        **line_of(r, t),
    }
    b = frame.b
    if run["benchmark"] == f"{run['currency'].lower()}_usd":
        return found
    b_mean, b_z, b_sd = moments(b, t)
    active_mean, _, active_sd = moments(r - b, t)
    beta = quotient((x_z * b_z).sum(), (b_z**2).sum(), "no_variance")
    correlation = beta if beta == "no_variance" else beta * b_sd / x_sd if x_sd > 0 else 0
    rate = r - x
    alpha = beta if beta == "no_variance" else (x_mean - beta * moments(b - rate, t)[0]) * per_year
    information = quotient(active_mean, active_sd, "no_variance")
    compared = {
        "alpha": alpha,
        "information_ratio": information if information == "no_variance" else information * math.sqrt(per_year),
        "tracking_error": active_sd * math.sqrt(per_year),
    }
    up, fallen = b > 0, b < 0
    return {
        **found,
        "benchmark_return": samples.benchmark.iloc[-1] / samples.benchmark.iloc[0] - 1,
        "beta": beta,
        "correlation": correlation,
        "r_squared": beta if beta == "no_variance" else correlation**2,
        **{name: value if is_annual else "too_short" for name, value in compared.items()},
        "up_capture": capture(frame, up),
        "down_capture": capture(frame, fallen),
    }


def capture(frame, which):
    part = frame[which]
    if len(part) == 0:
        return "no_variance"
    return (part.r.sum() / part.t.sum()) / (part.b.sum() / part.t.sum())


def longest(flags):
    return int(flags.groupby((~flags).cumsum()).sum().max())


def shape_of(z):
    n, m2, m3, m4 = len(z), (z**2).sum(), (z**3).sum(), (z**4).sum()
    if m2 == 0:
        return {"skew": "no_variance", "excess_kurtosis": "no_variance"}
    skew = math.sqrt(n * (n - 1)) / (n - 2) * (m3 / n) / (m2 / n) ** 1.5
    spread = (n - 1) / ((n - 2) * (n - 3))
    kurtosis = spread * (n * (n + 1) * m4 / m2**2 - 3 * (n - 1))
    return {"skew": skew, "excess_kurtosis": kurtosis}


def line_of(r, t):
    sums, passed = numpy.log1p(r).cumsum(), t.cumsum()
    return {"stability": numpy.corrcoef(passed, sums)[0, 1] ** 2 if sums.std() > 0 else 0.0}


def is_same(found, expected):
    if isinstance(expected, str) or isinstance(found, str):
        return found == expected
    return f"{found:.6g}" == f"{expected:.6g}" or abs(found - expected) <= 1e-9 * max(abs(expected), 1e-3)


def check(folder):
    manifest = json.loads((folder / "manifest.json").read_text())
    terms = manifest["metrics"]
    every = terms["every"]
    run = {
        **terms,
        "every": int(every[:-1]) * UNITS[every[-1]],
        "from": pandas.Timestamp(manifest["from"]).timestamp(),
        "to": pandas.Timestamp(manifest["to"]).timestamp(),
    }
    metrics = read(folder, "metrics")
    metrics = metrics[metrics.label.isna() & metrics.currency.notna()]
    wrong, compared = [], 0
    for (account, currency), rows in metrics.groupby(["account", "currency"], observed=True):
        told = {
            row.metric: row.value if isinstance(row.reason, float) or row.reason is None else row.reason
            for row in rows.itertuples()
        }
        samples, _ = series_of(folder, account, currency)
        expected = ratios_of(samples, {**run, "currency": currency})
        for name, value in expected.items():
            compared += 1
            if not is_same(told[name], value):
                wrong.append(f"{folder.name} {account} {currency} {name}: expected {value}, found {told[name]}")
        # Samples inside periods are more than the table has: the deepest fall of all is no less deep.
        if not told["max_drawdown_intraperiod"] <= told["max_drawdown"]:
            wrong.append(f"{folder.name} {account} {currency}: max_drawdown_intraperiod is less deep than max_drawdown")
        if not isinstance(told["calmar"], str):
            compared += 1
            if not is_same(told["calmar"], told["cagr"] / -told["max_drawdown_intraperiod"]):
                wrong.append(f"{folder.name} {account} {currency} calmar: found {told['calmar']}")
    return wrong, compared


def main(folders):
    total = 0
    for folder in folders:
        wrong, compared = check(Path(folder))
        for line in wrong:
            print(line)
        if wrong or compared < 50:
            sys.exit(f"{folder}: {len(wrong)} of {compared} ratios are not those of its equity")
        print(f"{folder}: {compared} ratios are those of its equity")
        total += compared
    print(f"ok: {total} ratios of {len(folders)} runs")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
