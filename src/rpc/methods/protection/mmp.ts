/**
 * private/set_mmp_config, private/get_mmp_config, private/get_mmp_status and private/reset_mmp.
 *
 * The reply to a configuration is an array of one record (C37). The record of a removal has the interval 0 of the
 * request. Limits of 0 are not monitored and are omitted from records (C38).
 * Source: trading.md 7.1, 7.2, C37, C43; coverage R11.
 */

import { type DecimalInput, micros, millisOf, parseDecimalInput, scaledToNumber, z } from '../../../core/index.ts'
import { type MmpGroupView, mmpGroupsOf } from '../../../engine/index.ts'
import type { Fault, MmpConfig, MmpKey } from '../../../model/index.ts'
import { asker, defineMethod, queryOf, type ReadContext } from '../method.ts'
import { decimal, earlier, indexName, paramFault } from '../params.ts'

/** The limits of a group. */
export interface WireMmpConfig {
  readonly index_name: string
  readonly mmp_group?: string
  /** Number of the group in direct access; absent for a group without a number. */
  readonly id?: number
  readonly interval: number
  readonly frozen_time: number
  readonly quantity_limit?: number
  readonly delta_limit?: number
  readonly vega_limit?: number
  readonly max_quote_quantity: number
  readonly block_rfq: boolean
  readonly trade_count_limit?: number
}

/** A frozen group. */
export interface WireMmpStatus {
  readonly index_name: string
  /** End of the freeze; 0 if only a reset ends it. */
  readonly frozen_until: number
  readonly mmp_group?: string
  readonly block_rfq?: true
}

/**
 * Market-maker protection as JSON: parameters that several methods share, and records.
 * Source: trading.md 7.1.
 */

const NAME_MAX = 64

/** Stands for all indices; only for Block RFQs. */
const ALL_INDICES = 'all'

/** The parameters that select a group. Without a name they select the group of orders. */
const groupParams = {
  mmp_group: z
    .string()
    .min(1)
    .refine((name) => [...name].length <= NAME_MAX, 'too_long')
    .optional()
    .describe('a group of quotes; that of orders where none is named'),
  block_rfq: z.boolean().default(false).describe('true for a group of Block RFQs'),
}

/** The key of the group that the parameters select. */
function mmpKeyOf(params: {
  readonly index_name: string
  readonly mmp_group?: string | undefined
  readonly block_rfq: boolean
}): MmpKey {
  const { index_name: index, mmp_group: name = null, block_rfq: blockRfq } = params
  return { index, name, blockRfq }
}

/** Protection over all indices is possible only for Block RFQs. */
function mmpIndexFault(key: MmpKey): Fault | null {
  return key.index === ALL_INDICES && !key.blockRfq ? paramFault('index_name', 'only_with_block_rfq') : null
}

/** The limits of a group as JSON. */
function configOut(key: MmpKey, config: MmpConfig, id: number | null): WireMmpConfig {
  return {
    index_name: key.index,
    ...(key.name === null ? {} : { mmp_group: key.name }),
    ...(id === null ? {} : { id }),
    interval: secondsOut(config.interval),
    frozen_time: secondsOut(config.frozenTime),
    ...(config.quantity9 === null ? {} : { quantity_limit: nanoOut(config.quantity9) }),
    ...(config.delta9 === null ? {} : { delta_limit: nanoOut(config.delta9) }),
    ...(config.vega9 === null ? {} : { vega_limit: nanoOut(config.vega9) }),
    max_quote_quantity: nanoOut(config.maxQuote9),
    block_rfq: key.blockRfq,
    ...(config.tradeCount === null ? {} : { trade_count_limit: config.tradeCount }),
  }
}

/** A frozen group as JSON, or null if it accepts orders over JSON-RPC. */
function statusOut({ key, freeze }: MmpGroupView): WireMmpStatus | null {
  if (freeze === null || freeze.isReset) return null
  return {
    index_name: key.index,
    frozen_until: freeze.until === null ? 0 : millisOf(freeze.until),
    ...(key.name === null ? {} : { mmp_group: key.name }),
    ...(key.blockRfq ? { block_rfq: true } : {}),
  }
}

/** Parameters of the methods that list groups. */
const listParams = z.object({ index_name: indexName.optional(), ...groupParams })

/** A group can be named only together with its index. */
function listFault(params: z.output<typeof listParams>): Fault | null {
  const isNamed = params.mmp_group !== undefined
  return isNamed && params.index_name === undefined ? paramFault('index_name', 'required') : null
}

/** True if the parameters select a group. */
function isMeant({ key }: MmpGroupView, params: z.output<typeof listParams>): boolean {
  if (key.blockRfq !== params.block_rfq) return false
  if (params.index_name !== undefined && key.index !== params.index_name) return false
  return params.mmp_group === undefined || key.name === params.mmp_group
}

function secondsOut(time: number): number {
  return scaledToNumber(BigInt(time), 6)
}

function nanoOut(value9: number): number {
  return scaledToNumber(BigInt(value9), 9)
}

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
      return group.config === null || !isMeant(group, params) ? [] : [configOut(group.key, group.config, group.number)]
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
  if (params.trade_count_limit === undefined || (params.block_rfq && params.index_name === 'all')) return null
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
