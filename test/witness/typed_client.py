"""Asks a server every method that typed-deribit knows and hears its channels; the package checks each message.

typed-deribit (PyPI) has a type for every reply and message of the venue, and raises where one does not fit. The script
starts `pitclock serve` for a scenario with the accounts `alice` and `bob`, and fails with a list of what did not fit.
With a seed, a number, it asks a third of the methods and hears a third of the channels; other numbers choose other thirds.

Usage: typed_client.py dist/cli/pitclock.js test/witness/typed_client.yaml [SEED]
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

import pydantic
import typed_deribit.core.transport.http as http
import typed_deribit.core.transport.ws as ws
from typed_core.exceptions import ApiError, LogicError
from typed_core.validation import ValidationError, validator
from typed_deribit import Deribit

OPTION = 'BTC-25DEC26-100000-C'
PERPETUAL = 'BTC-PERPETUAL'

# Methods whose effect ends the session or the orders of the others.
NOT_ASKED = {
    # These change or end the key that the script logs in with.
    'change_scope_in_api_key', 'disable_api_key', 'edit_api_key', 'remove_api_key', 'reset_api_key',
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
    ('channel market_data.ticker BTC-25DEC26-100000-C', 'underlying_index', 'Input should be a valid number'),
    ('channel market_data.ticker BTC_USDC', 'open_interest', 'Field required'),
    ('block_rfq.', 'combo_id', 'Input should be a valid string'),
]

# The least numbers of fitting replies, open channels and channels with a message. A sample is a third of the methods and
# channels; replies are spread unevenly over the thirds.
FITTED_LEAST = 85
CHANNELS_LEAST = 40
HEARD_LEAST = 20
SAMPLE = 3


def sampled(items, seed):
    return items if seed is None else [item for at, item in enumerate(items) if (at + seed) % SAMPLE == 0]


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


def known_methods(client, known):
    """Each method whose required parameters are known: its section and name, the function, its arguments."""
    found = []
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
            if all(each in known for each in needed):
                found.append((f'{section}.{name}', method, {each: known[each] for each in needed}))
    return found


async def ask_methods(client, now, seed, faults):
    """Asks methods; returns how many replies fitted and how many requests were refused."""
    fitted = refused = 0
    for name, method, params in sampled(known_methods(client, values(now)), seed):
        try:
            await method(**params)
            fitted += 1
        except ValidationError as error:
            faults += misfits(name, error)
        except (ApiError, LogicError):
            refused += 1
        except Exception as error:
            faults.append(f'{name}: {type(error).__name__}: {one_line(error)}')
    return fitted, refused


async def hear_channels(client, ask, seed, faults):
    """Opens channels, trades, and returns how many opened and how many sent at least one message that fitted."""
    given = {
        'currency': 'BTC', 'instrument_name': PERPETUAL, 'index_name': 'btc_usd', 'kind': 'future',
        'interval': '100ms', 'group': 'none', 'depth': '10', 'resolution': '1',
    }
    opened, heard, channels = set(), set(), []

    async def hear(name, stream, params):
        try:
            async with stream(**params) as messages:
                opened.add(name)
                async for _ in messages:
                    heard.add(name)
        except asyncio.CancelledError:
            raise
        except ValidationError as error:
            faults += misfits(f'channel {name}', error)
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
            channels += [(f'{section}.{form}', stream, params) for form, params in forms]
    tasks = [asyncio.create_task(hear(*channel)) for channel in sampled(channels, seed)]
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


async def check(ready, seed):
    port, now = ready['port'], datetime.datetime.fromisoformat(ready['time'].replace('Z', '+00:00'))
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
        opened, heard = await hear_channels(client, ask, seed, faults)
        fitted, refused = await ask_methods(client, now, seed, faults)
    parts = 1 if seed is None else SAMPLE
    for what, found, least in (
        ('replies that fit', fitted, FITTED_LEAST // (1 if seed is None else 2 * SAMPLE)),
        ('channels that open', opened, CHANNELS_LEAST // parts),
        ('channels that send a message', heard, HEARD_LEAST // (1 if seed is None else 2 * SAMPLE)),
    ):
        if found < least:
            faults.append(f'expected at least {least} {what}, found {found}')
    print(f'typed-deribit: {fitted} replies fit, {refused} requests refused, {opened} channels open, {heard} sent messages')
    return faults


def misfits(name, error):
    """The faults of a message, without the known ones: each has its own field."""
    if not isinstance(error.__cause__, pydantic.ValidationError):
        return [f'{name}: {one_line(error)}']
    left = [
        each for each in error.__cause__.errors(include_url=False, include_context=False)
        if not any(name.startswith(of) and field in each['loc'] and words in each['msg'] for of, field, words in KNOWN)
    ]
    return [f"{name}: {'.'.join(map(str, each['loc']))}: {each['msg']}" for each in left]


def strictly(self, data):
    """Validates a decoded message as JSON: a number in quotes is no number, which the package itself lets pass."""
    try:
        return self.adapter.validate_json(json.dumps(data), strict=True)
    except pydantic.ValidationError as error:
        raise ValidationError(str(error)) from error


validator.python = strictly
try:
    validator(float).python('1')
    sys.exit('expected a check that refuses a number in quotes')
except ValidationError:
    pass

# The package warns of values of ours that it writes in another form.
warnings.simplefilter('ignore')

program, scenario, *seeds = sys.argv[1:]
server = subprocess.Popen(
    ['node', program, 'serve', scenario, '--port', '0', '--ready-json'], stdout=subprocess.PIPE
)
try:
    ready = json.loads(server.stdout.readline())
    found = asyncio.run(check(ready, int(seeds[0]) if seeds else None))
finally:
    server.send_signal(signal.SIGINT)
code = server.wait(timeout=60)
if code != 0:
    found.append(f'expected a server that ends with 0, found {code}')
if found:
    sys.exit('\n'.join(found))
