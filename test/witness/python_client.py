"""Runs the Python examples of the guide of servers against a server: ccxt as it is published, and a client without packages.

Usage: python_client.py dist/cli/pitclock.js scenarios/server/README.md
"""

import contextlib
import io
import json
import re
import signal
import subprocess
import sys

program, guide = sys.argv[1:]
with open(guide, encoding='utf8') as file:
    blocks = re.findall(r'<!-- python[^\n]*-->\n```python\n(.*?)```', file.read(), re.S)
if len(blocks) != 2:
    sys.exit(f'{guide}: expected two examples in Python, found {len(blocks)}')


def said_by(block, clock):
    """What an example prints, with a server whose clock is as given."""
    server = subprocess.Popen(
        ['node', program, 'serve', 'scenarios/server/two-sided-market.yaml', '--port', '0', '--ready-json', '--clock', clock],
        stdout=subprocess.PIPE,
    )
    try:
        ready = json.loads(server.stdout.readline())
        # The population needs a moment to make a book.
        example = 'import time\ntime.sleep(3)\n' + block.replace(':8420', f":{ready['port']}")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(example, guide, 'exec'), {})
    finally:
        server.send_signal(signal.SIGINT)
    code = server.wait(timeout=60)
    if code != 0:
        sys.exit(f'expected a server that ends with 0, found {code}')
    return said.getvalue()


ccxt, plain = blocks
for name, block, clock, wanted in [
    ('ccxt in Python', ccxt, 'wall', r'best bid \d+(\.\d+)?\nclosed for \d+(\.\d+)?\nshort -?100(\.0)?\n'),
    ('Python without packages', plain, 'stepped', 'open\n'),
]:
    said = said_by(block, clock)
    if not re.fullmatch(wanted, said):
        sys.exit(f'expected what the example prints, found {said!r}')
    print(f'{name}:', said.replace('\n', '; '))
