/**
 * The build of the page of reports: its program with uPlot as one script, its styles with those of uPlot as one sheet.
 * A report carries both, so reading or writing one needs no uPlot.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist/page')
const plot = dirname(dirname(createRequire(import.meta.url).resolve('uplot')))

/** The licence of uPlot goes along with its code. */
const licence = readFileSync(join(plot, 'LICENSE'), 'utf8').trim()
const banner = `/*!\nThe charts are drawn by uPlot.\n\n${licence}\n*/\n`

const build = await rolldown({
  input: join(root, 'src/report/page/main.ts'),
  platform: 'browser',
  logLevel: 'warn',
})
const { output } = await build.generate({ format: 'iife', minify: true })
await build.close()
const [{ code }] = output

mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'report.js'), banner + code)
const styles = [join(plot, 'dist/uPlot.min.css'), join(root, 'src/report/page/report.css')]
writeFileSync(join(out, 'report.css'), styles.map((file) => readFileSync(file, 'utf8')).join('\n'))
