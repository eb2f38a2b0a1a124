/**
 * The folder of the repository, wherever the file that asks was compiled to.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder above this file that holds a package. */
function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))
}

/** The repository. */
export const repository = above(import.meta.dirname)
