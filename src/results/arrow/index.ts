/**
 * The face of `results/arrow`: blocks as Arrow files. Load it on demand: apache-arrow is slow to load.
 */
export type { ArrowFileWriter, WriteBytes } from './file-writer.ts'
export {
  type ArrowEncoder,
  type ArrowOptions,
  type ArrowTableWriter,
  arrowEncoder,
} from './table-writer.ts'
