/** Edits of sources that tests plant on purpose, to see whether a check notices them. */

/** A part of a source, and the text that replaces it. The part occurs once. */
export interface PlantedEdit {
  /** Path of the source in the repository. */
  readonly file: string
  readonly part: string
  readonly by: string
}

/** The source with the edit. Throws a RangeError if it does not have the part exactly once. */
export function withEdit(source: string, { file, part, by }: PlantedEdit): string {
  const pieces = source.split(part)
  const [before, after] = pieces
  if (pieces.length !== 2 || before === undefined || after === undefined) {
    throw new RangeError(`${file}: expected this text once, found it ${pieces.length - 1} times: ${part}`)
  }
  return `${before}${by}${after}`
}

/** The part of a bundler that it calls with each source. */
interface SourceEditor {
  readonly name: string
  transform(code: string, id: string): string | null
  buildEnd(error?: Error): void
}

/** A plugin of rolldown that plants an edit. The build fails if the edit has no place, or if no module has its file. */
export function planting(edit: PlantedEdit): SourceEditor {
  let isPlanted = false
  return {
    name: 'planting',
    transform: (code, id) => {
      if (!id.endsWith(`/${edit.file}`)) return null
      isPlanted = true
      return withEdit(code, edit)
    },
    buildEnd: (error) => {
      if (error === undefined && !isPlanted) throw new RangeError(`expected the build to include ${edit.file}`)
    },
  }
}
