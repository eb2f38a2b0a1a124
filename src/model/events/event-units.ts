/**
 * Units of the columns of events beyond those of the core (`core/table-units.ts`): terms of the model, and ids that may
 * be missing.
 */
import { type AccountId, type InstrumentId, plainUnit, wordUnit } from '../../core/index.ts'
import type { Instrument } from '../instrument.ts'
import { type OrderLinks, orderFields, type Trigger } from '../order.ts'
import type { MmpConfig } from '../protection/mmp.ts'
import type { ChangedBy } from '../protection/order-extras.ts'
import { currencies } from '../words/currencies.ts'
import type { LspGroup } from '../words/liquidations.ts'
import type { Refusal } from '../words/refusals.ts'

export const side = orderFields.side.unit
export const currency = wordUnit('currency', currencies)
export const someAccount = plainUnit<AccountId | -1>('account or -1', 'number')
export const someInstrument = plainUnit<InstrumentId | -1>('instrument or -1', 'number')
export const instrument = plainUnit<Instrument>('terms of an instrument')
export const someTerms = plainUnit<Instrument | null>('terms of an instrument or null')
export const refusal = plainUnit<Refusal>('refusal')
export const advanced = orderFields.advanced.unit
export const trigger = plainUnit<Trigger | null>('trigger or null')
export const links = plainUnit<OrderLinks>('links of an order')
export const changedBy = plainUnit<ChangedBy | null>('cause of a change or null')
export const mmpConfig = plainUnit<MmpConfig | null>('limits of a group or null')
/** A size or a price of a structure of legs, in 1e-9. */
export const structure9 = plainUnit<bigint>('size or price of a structure in 1e-9', 'wide')
export const lspGroup = plainUnit<LspGroup>('group of the programme')
/** Limits of one participant, in parts per million of its equity. */
export const lspLimits = plainUnit<{ readonly [G in LspGroup]?: number }>('limits of a participant')
