/**
 * The program of the page. It unpacks the data in the page and shows it.
 *
 * `data-ready` of the root element means that everything is drawn; `data-millis` is the time that it took.
 */
import { unpacked } from '../packing.ts'
import type { Report } from '../payload.ts'
import { Board } from './board.ts'
import { element } from './dom.ts'

async function bytesOfPage(): Promise<Uint8Array> {
  const text = document.getElementById('data')?.textContent ?? ''
  const zipped = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

async function start(): Promise<void> {
  const root = document.getElementById('report')
  if (root === null) return
  const begun = performance.now()
  const { dataset } = document.documentElement
  try {
    // The same version of the program packed the bytes.
    const report = unpacked(await bytesOfPage()) as Report
    new Board(report, root).show()
    // Charts are drawn in microtasks that they have queued.
    await new Promise(requestAnimationFrame)
    dataset['millis'] = String(Math.round(performance.now() - begun))
    dataset['ready'] = 'true'
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const text = `This report cannot be shown: ${words}. It needs a browser from 2023 or later.`
    root.append(element('main', {}, element('p', { class: 'warning' }, text)))
    dataset['ready'] = 'failed'
  }
}

void start()
