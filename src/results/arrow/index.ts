/**
 * The face of `results/arrow`: blocks as Arrow files. Load it on demand: apache-arrow is slow to load.
 */
export type { ArrowFileWriter } from './file-writer.ts'
export { type ArrowEncoder, arrowEncoder } from './table-writer.ts'
