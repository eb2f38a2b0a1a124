/**
 * The section of faults of a scenario file.
 */
import * as z from 'zod'
import { faultFields, faultKinds } from '../../../faults/index.ts'

const moment = z
  .string()
  .min(1)
  .meta({
    description: 'A duration from `start`, or a point of time in ISO 8601 with its offset.',
    examples: ['30s', '2026-01-05T08:00:00Z'],
  })

/** One fault: of messages between the exchange and strategies or clients. */
export const faultFormat = z
  .strictObject({
    kind: z.enum(faultKinds).meta({ description: 'What goes wrong.', examples: ['drop'] }),
    ...faultFields,
    from: moment.optional(),
    until: moment.optional(),
  })
  .meta({ description: 'A fault on demand; of several that meet a message the first decides.' })
