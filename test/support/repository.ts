/** The folder of the repository; it works from sources and from compiled files. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder above this file with a `package.json`. */
function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))
}

/** The repository. */
export const repository = above(import.meta.dirname)
