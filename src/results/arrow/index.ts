/**
 * Exports of `results/arrow`: writes blocks as Arrow files. Load it on demand, because apache-arrow is slow to load.
 */
export * from './table-writer.ts'
