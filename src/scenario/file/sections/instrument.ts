/** Instruments: names of the catalogue, and replaced fields. */
import { type DecimalInput, z } from '../../../core/index.ts'
import { overridableFields } from '../../../model/index.ts'
import { isDecimal } from './settings.ts'

const name = z.string().min(1)

const override = z
  .custom<DecimalInput | string>((value) => typeof value === 'string' || isDecimal(value), 'a number or a text')
  .meta({ type: ['number', 'string'], examples: [0.5] })
  .optional()

/** Notes on fields whose name does not explain everything. The description of the instrument has their bounds. */
const overrideNotes: ReadonlyMap<string, z.core.GlobalMeta> = new Map([
  [
    'delivery_commission',
    { description: 'Fee rate of the delivery at expiry, for dated futures.', examples: [0.00025] },
  ],
  [
    'mark_band',
    {
      description:
        'Largest distance of the mark price from the index, as a fraction of the index; for futures and perpetuals.',
      examples: [0.005],
    },
  ],
  [
    'impact_amount',
    {
      description:
        'Order size of the impact bid and ask from which a perpetual computes its mark price; in coin, or in quote units for linear perpetuals.',
      examples: [1, 50_000],
    },
  ],
  [
    'funding_cap',
    {
      description: 'Largest funding rate for 8 hours, positive or negative; for perpetuals.',
      examples: [0.005],
    },
  ],
  [
    'funding_damper',
    {
      description: 'Premium up to which there is no funding, the same at all times; for perpetuals.',
      examples: [0.00025],
    },
  ],
])

/** An instrument with some of its fields replaced. */
const overriddenInstrument = z
  .strictObject({
    name: name.meta({ description: 'Name of the instrument.', examples: ['BTC-PERPETUAL'] }),
    ...(Object.fromEntries(
      overridableFields.map((field) => {
        const note = overrideNotes.get(field)
        return [field, note === undefined ? override : override.meta(note)]
      }),
    ) as { readonly [field: string]: typeof override }),
  })
  .meta({
    description: 'An instrument of the catalogue with some of its fields replaced.',
    examples: [{ name: 'BTC-PERPETUAL', tick_size: 0.5, taker_commission: 0.0005 }],
  })

/** An instrument of the run: its name, or a mapping that replaces fields. */
export const instrumentFormat = z.union([
  name.meta({ description: 'Name of an instrument.', examples: ['BTC-PERPETUAL'] }),
  overriddenInstrument,
])
