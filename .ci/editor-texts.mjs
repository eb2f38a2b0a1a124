/**
 * The last step of the build: writes what each parameter of a request means into the declarations, where
 * editors show it. The texts are those of the parameters' own declarations, which the JSON Schema has, too. Then they leave
 * the modules of the methods: nobody reads them while a program runs, and a browser would load them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import { directMethods } from '../dist/src/gateways/method-table.js'
import { methods } from '../dist/src/rpc/methods/table.js'

/** The description of a parameter, or null. */
function textOf(schema) {
  for (let part = schema; part !== undefined; part = part.def?.innerType) {
    if (part.description !== undefined) return part.description.replaceAll('*/', '* /')
  }
  return null
}

/** Texts by where they go. */
function textsOf(declared, shape) {
  return declared.members.flatMap((member) => {
    const text = ts.isPropertySignature(member) ? textOf(shape[member.name.text]) : null
    return text === null ? [] : [{ at: member.getStart(), text }]
  })
}

/** The fields of `ZodObject<{ … }>`, however it is imported, the first argument of the type `Method`. */
function fieldsOf(type) {
  const [schema] = type.typeArguments ?? []
  const [fields] = schema?.typeArguments ?? []
  return fields !== undefined && ts.isTypeLiteralNode(fields) ? fields : null
}

/** Writes the texts of a table into its declaration. */
function writeTexts(file, table) {
  const path = new URL(file, import.meta.url)
  const source = readFileSync(path, 'utf8')
  const texts = []
  const visit = (node) => {
    const shape = ts.isPropertySignature(node) ? table[node.name.text]?.params.shape : undefined
    const fields = shape === undefined || node.type === undefined ? null : fieldsOf(node.type)
    if (fields === null) ts.forEachChild(node, visit)
    else texts.push(...textsOf(fields, shape))
  }
  visit(ts.createSourceFile('table.d.ts', source, ts.ScriptTarget.Latest, true))
  let written = source
  for (const { at, text } of texts.toReversed()) {
    written = `${written.slice(0, at)}/** ${text} */ ${written.slice(at)}`
  }
  writeFileSync(path, written)
}

writeTexts('../dist/src/rpc/methods/table.d.ts', methods)
writeTexts('../dist/src/gateways/method-table.d.ts', directMethods)

/** The places of `.describe(…)` in a module, the last first. */
function describedIn(source) {
  const found = []
  const visit = (node) => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const { expression, name } = node.expression
    if (name.text === 'describe') found.push({ from: expression.getEnd(), to: node.getEnd() })
  }
  visit(source)
  return found.sort((a, b) => b.from - a.from)
}

for (const folder of ['../dist/src/rpc/methods/', '../dist/src/gateways/']) {
  for (const file of readdirSync(new URL(folder, import.meta.url), { recursive: true })) {
    if (!file.endsWith('.js')) continue
    const path = new URL(file, new URL(folder, import.meta.url))
    let code = readFileSync(path, 'utf8')
    for (const { from, to } of describedIn(ts.createSourceFile(file, code, ts.ScriptTarget.ES2023, true))) {
      // Lines stay where they are, so that the map still names those of the source.
      code = code.slice(0, from) + code.slice(from, to).replaceAll(/[^\n]/g, '') + code.slice(to)
    }
    writeFileSync(path, code)
  }
}
