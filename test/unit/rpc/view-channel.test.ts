/** Channels of views: the messages to subscribers that came at different times. */
import { expect, test } from 'vitest'
import { viewChannel } from '../../../src/rpc/channels/channel.ts'

interface View {
  readonly x: number
  readonly y: number
}

function changed(before: View, now: View): Partial<View> {
  return {
    ...(now.x === before.x ? {} : { x: now.x }),
    ...(now.y === before.y ? {} : { y: now.y }),
  }
}

test('a subscriber that came between two changes is sent the whole view', () => {
  let view: View = { x: 1, y: 1 }
  let version = 0
  const channel = viewChannel<View, Partial<View>>({
    ...{ interval: 'raw', subject: {}, touchedBy: {}, change: changed },
    look: () => view,
    inputs: () => [version],
  })
  const moveTo = (next: View): void => {
    view = next
    version += 1
  }
  expect(channel.first?.()).toEqual([{ x: 1, y: 1 }])
  moveTo({ x: 2, y: 1 })
  expect(channel.first?.()).toEqual([{ x: 2, y: 1 }])
  // The change from the first view would leave x = 2 with the second subscriber.
  moveTo({ x: 1, y: 2 })
  expect(channel.collect()).toEqual([{ x: 1, y: 2 }])
  moveTo({ x: 1, y: 3 })
  expect(channel.collect()).toEqual([{ y: 3 }])
  expect(channel.collect()).toEqual([])
})
