/** Licences of packages that the build puts into our files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the package that a module belongs to, or null for our own. */
function packageOf(id) {
  const found = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)
  return found === null ? null : found[0]
}

/** The licence of a package in the form that its authors require, with the notices in its modules. */
function licenceOf(folder, modules) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const notices = new Set(modules.flatMap(noticesIn))
  return [`${name} ${version} (${license})`, ...texts, ...notices].join('\n\n')
}

/** The comments of a module that name its authors. */
function noticesIn(file) {
  const comments = readFileSync(file, 'utf8').matchAll(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm)
  return [...comments].map(([text]) => text.trim()).filter((text) => /copyright/i.test(text))
}

/** The licences of the packages that modules belong to, by their names. */
export function licencesOf(ids) {
  const folders = new Set(ids.map(packageOf).filter((folder) => folder !== null))
  const texts = [...folders].sort().map((folder) => {
    const modules = ids.filter((id) => packageOf(id) === folder && existsSync(id))
    return licenceOf(folder, modules)
  })
  return texts.join(`\n\n${'-'.repeat(80)}\n\n`)
}
