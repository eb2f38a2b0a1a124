/**
 * The last step of the build: writes what each parameter of a request means into the declarations, where
 * editors show it. The texts are those of the parameters' own declarations, which the JSON Schema has, too.
 */
import { readFileSync, writeFileSync } from 'node:fs'
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
