"""Runs the Hypothesis example of the guide of property tests, and the scenario of the bug that it finds.

Usage: hypothesis_client.py dist/cli/pitclock.js scenarios/testing/README.md
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

program, guide = (os.path.abspath(path) for path in sys.argv[1:])
with open(guide, encoding='utf8') as file:
    text = file.read()
block = re.search(r'<!-- python[^\n]*-->\n```python\n(.*?)```', text, re.S)
shown = re.search(r'^error: failures/wrong-position\.json:.*$', text, re.M)
if block is None or shown is None:
    sys.exit(f'{guide}: expected an example in Python and the error of its scenario')

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    began = time.monotonic()
    names = {}
    exec(compile(block[1].replace("'npx', 'pitclock'", f"'node', {program!r}"), guide, 'exec'), names)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(names['TestTrading']).run(result)
    seconds = time.monotonic() - began
    if len(result.failures) != 1 or 'in client_has_the_position' not in result.failures[0][1]:
        sys.exit(f'expected one failure of the position, found {result.failures} and {result.errors}')
    ran = subprocess.run(
        ['node', program, 'run', '--quiet', 'failures/wrong-position.json'], capture_output=True, encoding='utf8'
    )
    if (ran.returncode, ran.stderr.strip()) != (1, shown[0]):
        sys.exit(f'expected exit code 1 and {shown[0]!r}, found {ran.returncode} and {ran.stderr!r}')
    with open('failures/wrong-position.json', encoding='utf8') as file:
        steps = len(json.load(file)['steps'])
    print(f'Hypothesis: a scenario of {steps} steps after {seconds:.0f} s')
