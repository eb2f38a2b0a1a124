/**
 * The last step of the build: writes the meaning of each parameter of a request, and of each field of a result, into the
 * declarations, where editors show it. Parameters have their text in their own declaration, from which the JSON Schema takes it as
 * well. Fields without a docstring have a text by their name, which the OpenRPC document contains. Then the texts of parameters
 * leave the modules of the methods, because no program reads them at run time, and a browser would load them.
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

/** The fields of `ZodObject<{ … }>`, the first argument of the type `Method`, however it is imported. */
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
  insertTexts(path, source, texts)
}

/** Writes docstrings into a declaration file, each at its place. */
function insertTexts(path, source, texts) {
  let written = source
  for (const { at, text } of texts.toSorted((a, b) => b.at - a.at)) {
    written = `${written.slice(0, at)}/** ${text} */ ${written.slice(at)}`
  }
  writeFileSync(path, written)
}

/** The names of all files in a folder and below it. */
function filesIn(folder) {
  return readdirSync(new URL(folder, import.meta.url), { recursive: true }).map((file) => `${folder}${file}`)
}

/** Writes the texts of the document into the fields of results that have no docstring. */
function writeResultTexts(folders) {
  const { components } = JSON.parse(readFileSync(new URL('../dist/schema/openrpc.json', import.meta.url), 'utf8'))
  const declared = new Map()
  const sources = new Map()
  for (const file of folders.flatMap(filesIn).filter((name) => name.endsWith('.d.ts'))) {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    sources.set(file, { source, texts: new Map() })
    for (const node of ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true).statements) {
      if (ts.isInterfaceDeclaration(node)) declared.set(node.name.text, { node, file })
    }
  }
  const write = (name, schema) => {
    const { node, file } = declared.get(name) ?? {}
    if (node === undefined) return
    for (const { at, text } of fieldTexts(node.members, schema)) sources.get(file).texts.set(at, text)
    // An inherited field has its text in the schema of the type that inherits it.
    for (const { types } of node.heritageClauses ?? []) {
      for (const { expression, typeArguments } of types) {
        // The fields of `Partial<Fields>` are those of its argument.
        for (const part of [expression, ...(typeArguments ?? [])]) write(part.getText(), schema)
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) write(name, schema)
  for (const [file, { source, texts }] of sources) {
    const list = [...texts].map(([at, text]) => ({ at, text }))
    if (list.length > 0) insertTexts(new URL(file, import.meta.url), source, list)
  }
}

/** Texts of fields without a docstring, and of the fields of objects in them. */
function fieldTexts(members, schema) {
  return members.flatMap((member) => {
    if (!ts.isPropertySignature(member)) return []
    const field = schema.properties?.[member.name.text]
    if (field === undefined) return []
    const text = ts.getJSDocCommentsAndTags(member).length === 0 ? field.description : undefined
    const inner = member.type !== undefined && ts.isTypeLiteralNode(member.type) ? member.type.members : []
    return [...(text === undefined ? [] : [{ at: member.getStart(), text }]), ...fieldTexts(inner, field)]
  })
}

writeTexts('../dist/src/rpc/methods/table.d.ts', methods)
writeTexts('../dist/src/gateways/method-table.d.ts', directMethods)
writeResultTexts(['../dist/src/rpc/', '../dist/src/gateways/'])

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
  for (const file of filesIn(folder)) {
    if (!file.endsWith('.js')) continue
    const path = new URL(file, import.meta.url)
    let code = readFileSync(path, 'utf8')
    for (const { from, to } of describedIn(ts.createSourceFile(file, code, ts.ScriptTarget.ES2023, true))) {
      // Lines stay where they are, so that the map still names those of the source.
      code = code.slice(0, from) + code.slice(from, to).replaceAll(/[^\n]/g, '') + code.slice(to)
    }
    writeFileSync(path, code)
  }
}
