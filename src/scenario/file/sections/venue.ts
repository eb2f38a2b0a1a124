/** The sections of a scenario file that set up the exchange and define the recorded tables. */
import { z } from '../../../core/index.ts'
import { fileSettings, shapeOf } from './settings.ts'

/** Settings of the exchange. */
export const venueFormat = z
  .strictObject(shapeOf(fileSettings.venue))
  .meta({ description: 'Settings of the exchange. The defaults are those of the venue.' })

/** Format of the section `record`. */
export const recordFormat = z
  .strictObject(shapeOf(fileSettings.record))
  .meta({ description: 'Additional data to record.', examples: [{ book: true }] })
