/**
 * The last step of the build: writes what each parameter of a request means into the declarations, where
 * editors show it. The texts are those of the parameters' own declarations, which the JSON Schema has, too.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'
import { methods } from '../dist/src/rpc/methods/table.js'

const path = new URL('../dist/src/rpc/methods/table.d.ts', import.meta.url)
const source = readFileSync(path, 'utf8')

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

const texts = []
function visit(node) {
  const shape = ts.isPropertySignature(node) ? methods[node.name.text]?.params.shape : undefined
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
