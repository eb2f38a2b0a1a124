/**
 * The sections of a scenario file that set up the exchange and say what is recorded.
 */
import { z } from '../../../core/index.ts'
import { fileSettings, shapeOf } from './settings.ts'

/** Settings of the exchange. */
export const venueFormat = z
  .strictObject(shapeOf(fileSettings.venue))
  .meta({ description: "Settings of the exchange; what is left out is the venue's own." })

/** Format of the section `record`. */
export const recordFormat = z
  .strictObject(shapeOf(fileSettings.record))
  .meta({ description: 'What is recorded beside the usual.', examples: [{ book: true }] })
