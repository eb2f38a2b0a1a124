/**
 * The examples of exported functions: each compiles against the package, runs alone, and prints the output that its
 * comments next to `console.log` give. Examples need no import for names of the package; the test adds the imports.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { scratch } from '../support/built-program.ts'
import { entryPoints } from '../support/entry-points.ts'
import { repository } from '../support/repository.ts'

/** Declarations of the package by the names of its entry points. */
const modules = new Map(entryPoints().map(({ name, declarations }) => [name, join(repository, declarations)]))

interface Exported {
  readonly name: string
  readonly examples: readonly string[]
}

const exportedNames = new Map<string, readonly string[]>()
let functions: readonly Exported[] = []

/** True for functions, including those that load when they are first called. */
function isFunction(checker: ts.TypeChecker, each: ts.Symbol): boolean {
  if ((each.flags & ts.SymbolFlags.Function) !== 0) return true
  if ((each.flags & ts.SymbolFlags.Variable) === 0) return false
  return checker.getTypeOfSymbol(each).getCallSignatures().length > 0
}

/** Names that the modules of the package have at run time; some values export only their type. */
async function runningNames(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const loaded = entryPoints().map(async ({ name, built }) => {
    const module = (await import(pathToFileURL(join(repository, built)).href)) as object
    return [name, new Set(Object.keys(module))] as const
  })
  return new Map(await Promise.all(loaded))
}

beforeAll(async () => {
  const running = await runningNames()
  const program = ts.createProgram([...modules.values()], {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [], noLib: true },
  })
  const checker = program.getTypeChecker()
  functions = [...modules].flatMap(([module, file]) => {
    const source = program.getSourceFile(file)
    const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol)
    const symbols = exported.filter((each) => running.get(module)?.has(each.name))
    const real = symbols.map((each) =>
      (each.flags & ts.SymbolFlags.Alias) === 0 ? each : checker.getAliasedSymbol(each),
    )
    const values = real.filter(({ flags }) => (flags & ts.SymbolFlags.Value) !== 0)
    exportedNames.set(
      module,
      values.map(({ name }) => name),
    )
    return real
      .filter((each) => isFunction(checker, each))
      .map((each) => ({
        name: each.name,
        examples: each
          .getJsDocTags(checker)
          .filter((tag) => tag.name === 'example')
          .map((tag) => ts.displayPartsToString(tag.text)),
      }))
  })
}, 120_000)

/** An example as a program. It imports the names of the package, unless the example has its own imports. */
function programOf(example: string): string {
  if (example.includes("from 'pitclock")) return example
  const imports = [...exportedNames].map(([module, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\(|\\b${name}\\b`).test(example))
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${module}'\n`
  })
  return `${imports.join('')}${example}\nexport {}\n`
}

test('every exported function has an example', () => {
  expect(functions.length).toBeGreaterThan(60)
  const lacking = functions.filter(({ examples }) => examples.length === 0).map(({ name }) => name)
  expect(lacking).toEqual([])
})

test('examples compile against the package, run, and print their documented output', () => {
  const home = scratch()
  const packages = join(home, 'node_modules')
  mkdirSync(join(packages, '@types'), { recursive: true })
  symlinkSync(repository, join(packages, 'pitclock'))
  symlinkSync(join(repository, 'node_modules/fast-check'), join(packages, 'fast-check'))
  symlinkSync(join(repository, 'node_modules/@types/node'), join(packages, '@types/node'))
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  const compilerOptions = {
    ...{ strict: true, skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node'] },
    ...{ module: 'nodenext', target: 'es2023', noUncheckedIndexedAccess: true, outDir: 'out' },
  }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const reported: { name: string; says: string }[] = []
  for (const { name, examples } of functions) {
    for (const [at, example] of examples.entries()) {
      const file = `${name}-${at}`
      writeFileSync(join(home, `${file}.ts`), programOf(example))
      const says = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, line]) => line)
      reported.push({ name: file, says: says.join('\n') })
    }
  }
  const compiler = join(repository, 'node_modules/typescript-7/bin/tsc')
  const compiled = spawnSync(process.execPath, [compiler, '-p', home], { encoding: 'utf8' })
  expect(compiled.stdout).toBe('')
  const main = `const told = []
for (const name of ${JSON.stringify(reported.map(({ name }) => name))}) {
  const lines = []
  console.log = (...values) => lines.push(format(...values))
  await import(\`./out/\${name}.js\`)
  told.push({ name, says: lines.join('\\n') })
}
process.stdout.write(JSON.stringify(told))`
  writeFileSync(join(home, 'main.js'), `import { format } from 'node:util'\n${main}`)
  const run = spawnSync(process.execPath, ['main.js'], { cwd: home, encoding: 'utf8' })
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout)).toEqual(reported)
}, 180_000)
