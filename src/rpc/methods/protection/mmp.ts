/**
 * private/set_mmp_config, private/get_mmp_config, private/get_mmp_status and private/reset_mmp.
 *
 * The reply to a configuration is an array of one record (C37). The record of a removal has the interval 0 of the
 * request. Limits of 0 are not monitored and are omitted from records (C38).
 * Source: trading.md 7.1, 7.2, C37, C43; coverage R11.
 */
import { type DecimalInput, micros, parseDecimalInput, z } from '../../../core/index.ts'
import { mmpGroupsOf } from '../../../engine/index.ts'
import type { Fault, MmpConfig, MmpKey } from '../../../model/index.ts'
import { asker, defineMethod, queryOf, type ReadContext } from '../method.ts'
import { decimal, earlier, indexName, paramFault } from '../params.ts'
import {
  configOut,
  groupParams,
  isMeant,
  listFault,
  listParams,
  mmpIndexFault,
  mmpKeyOf,
  statusOut,
  type WireMmpConfig,
  type WireMmpStatus,
} from './mmp-records.ts'

const LIMIT_DECIMALS = 4
/** Factor from the decimals of limits to 1e-9. */
const TO_NANO = 100_000n
const NOT_A_LIMIT = 'not_a_limit'
const seconds = z.int().min(0).max(3600)

const configParams = z.object({
  index_name: indexName,
  interval: seconds.describe('length of a window in seconds; 0 removes the protection'),
  frozen_time: seconds.describe('frozen time in seconds; 0 freezes until a reset'),
  quantity_limit: decimal.optional().describe('maximum traded size in a window, in base coin'),
  delta_limit: decimal.optional().describe('maximum net change of delta in a window, in base coin'),
  vega_limit: decimal.optional().describe('maximum net change of vega in a window, in USD'),
  max_quote_quantity: decimal.describe('maximum open size per instrument and side, in base coin'),
  trade_count_limit: z.int().min(1).max(1000).optional().describe('maximum number of trades in a window'),
  ...groupParams,
})

type ConfigParams = z.output<typeof configParams>

/** Sets, replaces or removes the protection of a group. */
const setMmpConfig = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  rfqScope: 'block_rfq:read_write',
  command: 'set_mmp_config',
  params: configParams,
  read: (_context, params) => {
    const key = mmpKeyOf(params)
    const { config, fault } = readConfig(params)
    const wrong = earlier(mmpIndexFault(key), earlier(fault, countFault(params)))
    return { body: { kind: 'set_mmp_config', key, config }, fault: wrong }
  },
  reply: (context, params): readonly WireMmpConfig[] => {
    const key = mmpKeyOf(params)
    return [configOut(key, readConfig(params).config, numberOf(context, key))]
  },
})

/** The protection of the selected groups; an empty list if there is none. */
const getMmpConfig = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  rfqScope: 'block_rfq:read',
  command: 'query',
  params: listParams,
  read: (_context, params) => queryOf(listFault(params)),
  reply: (context, params): readonly WireMmpConfig[] =>
    mmpGroupsOf(context.exchange, asker(context)).flatMap((group) => {
      const { key, config, number } = group
      return config === null || !isMeant(group, params) ? [] : [configOut(key, config, number)]
    }),
})

/** The frozen groups among the selected ones. */
const getMmpStatus = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  rfqScope: 'block_rfq:read',
  command: 'query',
  params: listParams,
  read: (_context, params) => queryOf(listFault(params)),
  reply: (context, params): readonly WireMmpStatus[] =>
    mmpGroupsOf(context.exchange, asker(context)).flatMap((group) => {
      const status = isMeant(group, params) ? statusOut(group) : null
      return status === null ? [] : [status]
    }),
})

/** Ends the freeze of a group. A group that is not frozen causes no error. */
const resetMmp = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  rfqScope: 'block_rfq:read_write',
  command: 'reset_mmp',
  params: z.object({ index_name: indexName, ...groupParams }),
  read: (_context, params) => {
    const key = mmpKeyOf(params)
    return { body: { kind: 'reset_mmp', key }, fault: mmpIndexFault(key) }
  },
  reply: () => 'ok',
})

/** Limits in 1e-9, with the first fault of a limit that cannot be read. */
function readConfig(params: ConfigParams): {
  readonly config: MmpConfig
  readonly fault: Fault | null
} {
  let fault: Fault | null = null
  const read = (name: keyof ConfigParams, given: DecimalInput | undefined): number => {
    const value9 = given === undefined ? 0 : readLimit(given)
    if (value9 === undefined) fault = earlier(fault, paramFault(name, NOT_A_LIMIT))
    return value9 ?? 0
  }
  const watched = (name: keyof ConfigParams, given: DecimalInput | undefined): number | null => {
    const value9 = read(name, given)
    return value9 === 0 ? null : value9
  }
  const config: MmpConfig = {
    interval: micros(params.interval * 1_000_000),
    frozenTime: micros(params.frozen_time * 1_000_000),
    quantity9: watched('quantity_limit', params.quantity_limit),
    delta9: watched('delta_limit', params.delta_limit),
    vega9: watched('vega_limit', params.vega_limit),
    maxQuote9: read('max_quote_quantity', params.max_quote_quantity),
    tradeCount: params.trade_count_limit ?? null,
  }
  return { config, fault }
}

/** A limit of trades is possible only for Block RFQs over all indices. */
function countFault(params: ConfigParams): Fault | null {
  const { trade_count_limit: limit, block_rfq: isRfq, index_name: index } = params
  if (limit === undefined || (isRfq && index === 'all')) return null
  return paramFault('trade_count_limit', 'only_with_block_rfq')
}

/** A limit in 1e-9, or undefined. */
function readLimit(given: DecimalInput): number | undefined {
  const scaled = parseDecimalInput(given, LIMIT_DECIMALS)
  if (!scaled.ok || scaled.value < 0n) return undefined
  const value9 = scaled.value * TO_NANO
  return value9 > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(value9)
}

/** The number of an existing group, or null. */
function numberOf(context: ReadContext, key: MmpKey): number | null {
  const group = mmpGroupsOf(context.exchange, asker(context)).find(
    (known) => known.key.index === key.index && known.key.name === key.name && known.key.blockRfq === key.blockRfq,
  )
  return group?.number ?? null
}

/** Methods by their names; a part of the table. */
export const mmpMethods = {
  'private/set_mmp_config': setMmpConfig,
  'private/get_mmp_config': getMmpConfig,
  'private/get_mmp_status': getMmpStatus,
  'private/reset_mmp': resetMmp,
} as const
