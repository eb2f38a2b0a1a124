"""Runs the Python example of the guide of servers, with ccxt as it is published, against a server.

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
    block = re.search(r'<!-- python[^\n]*-->\n```python\n(.*?)```', file.read(), re.S)
if block is None:
    sys.exit(f'{guide}: expected an example in Python, found none')

server = subprocess.Popen(
    ['node', program, 'serve', 'scenarios/server/two-sided-market.yaml', '--port', '0', '--ready-json'],
    stdout=subprocess.PIPE,
)
try:
    ready = json.loads(server.stdout.readline())
    # The population needs a moment to make a book.
    example = 'import time\ntime.sleep(3)\n' + block[1].replace(':8420', f":{ready['port']}")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(example, guide, 'exec'), {})
finally:
    server.send_signal(signal.SIGINT)
code = server.wait(timeout=60)

wanted = r'best bid \d+(\.\d+)?\nclosed for \d+(\.\d+)?\nshort -?100(\.0)?\n'
if not re.fullmatch(wanted, said.getvalue()):
    sys.exit(f'expected what the example prints, found {said.getvalue()!r}')
if code != 0:
    sys.exit(f'expected a server that ends with 0, found {code}')
print('ccxt in Python:', said.getvalue().replace('\n', '; '))
