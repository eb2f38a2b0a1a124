"""Asks a server every method that typed-deribit knows and hears its channels; the package checks each message.

typed-deribit (PyPI) has a type for every reply and message of the venue, and raises where one does not fit. The script
starts `pitclock serve` for a scenario with the accounts `alice` and `bob`, and fails with a list of what did not fit.

Usage: typed_client.py dist/cli/pitclock.js test/witness/typed_client.yaml
"""

import asyncio
import datetime
import inspect
import json
import re
import signal
import subprocess
import sys
import warnings
from base64 import b64encode
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import typed_deribit.core.transport.http as http
import typed_deribit.core.transport.ws as ws
from typed_deribit import Deribit

OPTION = 'BTC-25DEC26-100000-C'
PERPETUAL = 'BTC-PERPETUAL'

# Methods whose effect ends the session or the orders of the others.
NOT_ASKED = {
    'logout', 'cancel_all', 'unsubscribe_all', 'authed_unsubscribe_all', 'close_position',
    'fork_token', 'exchange_token', 'subscribe', 'authed_subscribe', 'unsubscribe', 'authed_unsubscribe',
}


SECTIONS = [
    'market_data', 'supporting', 'account', 'trading', 'session', 'wallet', 'combo_books', 'block_rfq',
    'block_trade', 'matching_engine', 'auth', 'subscription_management',
]

# Where the package is stricter than the venue's replies: `underlying_index` is a name, spot has neither open interest nor
# a delivery price, and an RFQ without a combo has none to name.
KNOWN = [
    ('channel market_data.ticker BTC-25DEC26-100000-C', 'underlying_index Input should be a valid number'),
    ('channel market_data.ticker BTC_USDC', 'open_interest Field required'),
    ('block_rfq.', 'combo_id Input should be a valid string'),
]

METHODS_LEAST = 90
CHANNELS_LEAST = 40


def values(now):
    """A value for each parameter that methods require, by name."""
    def leg(amount):
        return {'instrument_name': OPTION, 'amount': amount, 'direction': 'buy'}

    def order(price):
        return {'instrument_name': PERPETUAL, 'amount': 100, 'type': 'limit', 'price': price, 'label': 'typed'}

    return {
        'currency': 'BTC', 'instrument_name': PERPETUAL, 'index_name': 'btc_usd', 'kind': 'future',
        'start_timestamp': now - datetime.timedelta(hours=2), 'end_timestamp': now, 'range': '1h',
        'sell_order_params': order(110000), 'buy_order_params': order(90000),
        'legs': [leg(25)], 'trades': [leg(25)], 'max_scope': 'trade:read', 'sid': 1, 'id': 1,
        'margin_model': 'segregated_sm', 'length': '8h', 'resolution': '1', 'depth': 5, 'amount': 100,
        'type': 'limit', 'price': 90000, 'count': 10, 'interval': 30, 'label': 'typed', 'order_id': '1',
        'client_name': 'x', 'client_version': '1', 'instrument_id': 1013, 'index': 'btc_usd', 'frozen_time': 0,
        'currency_pair': 'btc_usd', 'ids': ['1'], 'name': 'main', 'mmp_group': 'default',
    }


def public_names(part):
    names = (name for name in dir(type(part)) if not name.startswith('_') and name != 'new')
    return sorted(name for name in names if callable(getattr(part, name, None)))


def one_line(error):
    return re.sub(r'\s+', ' ', str(error))[:600]


async def ask_methods(client, faults):
    """Asks every method whose required parameters are known; returns how many replies fitted and how many were refused."""
    known = values(datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=10))
    fitted = refused = 0
    for section in SECTIONS:
        part = getattr(client, section)
        for name in public_names(part):
            if name in NOT_ASKED:
                continue
            method = getattr(part, name)
            needed = [
                each.name
                for each in inspect.signature(method).parameters.values()
                if each.default is inspect.Parameter.empty
                and each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
            ]
            if any(each not in known for each in needed):
                continue
            try:
                await method(**{each: known[each] for each in needed})
                fitted += 1
            except Exception as error:
                # A reply that does not fit is a ValidationError; all other errors are refusals of the server.
                if 'validation' in type(error).__name__.lower():
                    faults.append(f'{section}.{name}: {one_line(error)}')
                else:
                    refused += 1
    return fitted, refused


async def hear_channels(client, ask, faults):
    """Opens every channel, trades, and returns how many channels sent at least one message that fitted."""
    given = {
        'currency': 'BTC', 'instrument_name': PERPETUAL, 'index_name': 'btc_usd', 'kind': 'future',
        'interval': '100ms', 'group': 'none', 'depth': '10', 'resolution': '1',
    }
    opened, heard, tasks = set(), set(), []

    async def hear(name, stream, params):
        try:
            async with stream(**params) as messages:
                opened.add(name)
                async for _ in messages:
                    heard.add(name)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            faults.append(f'channel {name}: {type(error).__name__}: {one_line(error)}')

    for section in ('market_data', 'user', 'block_rfq'):
        part = getattr(client.streams, section)
        for name in public_names(part):
            if name in ('subscribe', 'authed_subscribe'):
                continue
            stream = getattr(part, name)
            needed = [each for each in inspect.signature(stream).parameters if each != 'validate']
            forms = [(name, {each: given[each] for each in needed})]
            if name == 'portfolio':
                forms.append(('portfolio any', {**forms[0][1], 'currency': 'any'}))
            if name == 'ticker':
                for instrument in (OPTION, 'BTC_USDC', 'BTC-25DEC26'):
                    forms.append((f'ticker {instrument}', {**forms[0][1], 'instrument_name': instrument}))
            for form, params in forms:
                tasks.append(asyncio.create_task(hear(f'{section}.{form}', stream, params)))
    await asyncio.sleep(1.5)
    for _ in range(3):
        await asyncio.to_thread(trade, ask)
    await asyncio.sleep(3)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return len(opened), len(heard)


def trade(ask):
    """Fills, edits, triggers and cancels orders, for channels to report."""
    order = {'instrument_name': PERPETUAL, 'amount': 100}
    ask('private/buy', **order, type='market')
    placed = ask('private/sell', **order, type='limit', price=102000, label='s')
    order_id = placed.get('result', {}).get('order', {}).get('order_id')
    ask('private/edit', order_id=order_id, amount=200, price=101500)
    ask('private/sell', **order, type='stop_market', trigger='mark_price', trigger_price=90000)
    ask('private/cancel_all')


async def check(port):
    http.DERIBIT_HTTP_URL = f'http://127.0.0.1:{port}/api/v2'
    ws.DERIBIT_WS_URL = f'ws://127.0.0.1:{port}/ws/api/v2'

    def ask(method, **params):
        header = {'Authorization': 'Basic ' + b64encode(b'alice:alice-secret').decode()}
        request = Request(f'{http.DERIBIT_HTTP_URL}/{method}?{urlencode(params)}', headers=header)
        try:
            return json.load(urlopen(request))
        except OSError as error:
            return {'error': str(error)}

    faults = []
    async with Deribit.new(client_id='alice', client_secret='alice-secret') as client:
        opened, heard = await hear_channels(client, ask, faults)
        fitted, refused = await ask_methods(client, faults)
    if fitted + refused < METHODS_LEAST:
        faults.append(f'expected at least {METHODS_LEAST} methods, found {fitted + refused}')
    if opened < CHANNELS_LEAST:
        faults.append(f'expected at least {CHANNELS_LEAST} channels that open, found {opened}')
    print(f'typed-deribit: {fitted} replies fit, {refused} requests refused, {opened} channels open, {heard} sent messages')
    return [fault for fault in faults if not is_known(fault)]


def is_known(fault):
    return any(fault.startswith(name) and words in fault for name, words in KNOWN)


# The package warns of values of ours that it writes in another form.
warnings.simplefilter('ignore')

program, scenario = sys.argv[1:]
server = subprocess.Popen(
    ['node', program, 'serve', scenario, '--port', '0', '--ready-json'], stdout=subprocess.PIPE
)
try:
    ready = json.loads(server.stdout.readline())
    found = asyncio.run(check(ready['port']))
finally:
    server.send_signal(signal.SIGINT)
code = server.wait(timeout=60)
if code != 0:
    found.append(f'expected a server that ends with 0, found {code}')
if found:
    sys.exit('\n'.join(found))
