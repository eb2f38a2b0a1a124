/**
 * The face of `results/arrow`: blocks as Arrow files. Load it on demand: apache-arrow is slow to load.
 */
export {
  type ArrowEncoder,
  type ArrowOptions,
  type ArrowTableWriter,
  arrowEncoder,
  type WriteBytes,
} from './table-writer.ts'
