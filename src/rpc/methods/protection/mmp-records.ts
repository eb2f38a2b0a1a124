/**
 * Market-maker protection as JSON: parameters that several methods share, and records.
 * Source: trading.md 7.1.
 */
import { millisOf, scaledToNumber, z } from '../../../core/index.ts'
import type { MmpGroupView } from '../../../engine/index.ts'
import type { Fault, MmpConfig, MmpKey } from '../../../model/index.ts'
import { indexName, paramFault } from '../params.ts'

const NAME_MAX = 64
/** Stands for all indices; only for Block RFQs. */
const ALL_INDICES = 'all'

/** The parameters that select a group. Without a name they select the group of orders. */
export const groupParams = {
  mmp_group: z
    .string()
    .min(1)
    .refine((name) => [...name].length <= NAME_MAX, 'too_long')
    .optional()
    .describe('a group of quotes; that of orders where none is named'),
  block_rfq: z.boolean().default(false).describe('true for a group of Block RFQs'),
}

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

/** The key of the group that the parameters select. */
export function mmpKeyOf(params: {
  readonly index_name: string
  readonly mmp_group?: string | undefined
  readonly block_rfq: boolean
}): MmpKey {
  const { index_name: index, mmp_group: name = null, block_rfq: blockRfq } = params
  return { index, name, blockRfq }
}

/** Protection over all indices is possible only for Block RFQs. */
export function mmpIndexFault({ index, blockRfq }: MmpKey): Fault | null {
  return index === ALL_INDICES && !blockRfq ? paramFault('index_name', 'only_with_block_rfq') : null
}

/** The limits of a group as JSON. */
export function configOut(key: MmpKey, config: MmpConfig, id: number | null): WireMmpConfig {
  const { quantity9, delta9, vega9, maxQuote9, tradeCount } = config
  return {
    index_name: key.index,
    ...(key.name === null ? {} : { mmp_group: key.name }),
    ...(id === null ? {} : { id }),
    interval: secondsOut(config.interval),
    frozen_time: secondsOut(config.frozenTime),
    ...(quantity9 === null ? {} : { quantity_limit: nanoOut(quantity9) }),
    ...(delta9 === null ? {} : { delta_limit: nanoOut(delta9) }),
    ...(vega9 === null ? {} : { vega_limit: nanoOut(vega9) }),
    max_quote_quantity: nanoOut(maxQuote9),
    block_rfq: key.blockRfq,
    ...(tradeCount === null ? {} : { trade_count_limit: tradeCount }),
  }
}

/** A frozen group as JSON, or null if it accepts orders over JSON-RPC. */
export function statusOut({ key, freeze }: MmpGroupView): WireMmpStatus | null {
  if (freeze === null || freeze.isReset) return null
  return {
    index_name: key.index,
    frozen_until: freeze.until === null ? 0 : millisOf(freeze.until),
    ...(key.name === null ? {} : { mmp_group: key.name }),
    ...(key.blockRfq ? { block_rfq: true } : {}),
  }
}

/** Parameters of the methods that list groups. */
export const listParams = z.object({ index_name: indexName.optional(), ...groupParams })

/** A group can be named only together with its index. */
export function listFault(params: z.output<typeof listParams>): Fault | null {
  const isNamed = params.mmp_group !== undefined
  return isNamed && params.index_name === undefined ? paramFault('index_name', 'required') : null
}

/** True if the parameters select a group. */
export function isMeant({ key }: MmpGroupView, params: z.output<typeof listParams>): boolean {
  const { index_name: index, mmp_group: name, block_rfq: blockRfq } = params
  if (key.blockRfq !== blockRfq) return false
  if (index !== undefined && key.index !== index) return false
  return name === undefined || key.name === name
}

function secondsOut(time: number): number {
  return scaledToNumber(BigInt(time), 6)
}

function nanoOut(value9: number): number {
  return scaledToNumber(BigInt(value9), 9)
}
