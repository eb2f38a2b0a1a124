/**
 * `npm run reference`: writes a page for each entry point of the package into `reference`, or into the folder of the first
 * argument. TypeDoc reads the declarations of the build: they have no internal members, and they describe the parameters and
 * results of all methods.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application } from 'typedoc'
import { load } from 'typedoc-plugin-markdown'

const root = join(import.meta.dirname, '..')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entryPoints = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)]))

const app = await Application.bootstrapWithPlugins({
  name: 'Pitclock reference',
  entryPoints,
  plugin: [load],
  tsconfig: join(root, 'tsconfig.reference.json'),
  out: process.argv[2] ?? join(root, 'reference'),
  readme: 'none',
  router: 'module',
  logLevel: 'Error',
  disableSources: true,
  excludePrivate: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  skipErrorChecking: true,
})
const project = await app.convert()
if (project === undefined) throw new Error('expected declarations without errors: npm run build')
for (const module of project.children ?? []) {
  // A module has the name of its file, and programs import it by another one.
  module.name = module.name === 'index' ? 'pitclock' : `pitclock/${module.name}`
  // fast-check has its own documentation.
  const fastCheck = module.getChildByName('fc')
  if (fastCheck !== undefined) project.removeReflection(fastCheck)
}
await app.generateOutputs(project)
