/**
 * An unreadable request is refused by its fault, or by an earlier step of validation that does not need the unreadable
 * part. Its events name the intended request.
 */
import { describe, expect, test } from 'vitest'
import { instrumentId, micros, sequence } from '../../../src/core/index.ts'
import { apply, createExchange } from '../../../src/engine/index.ts'
import {
  type Command,
  defaultConfig,
  type Event,
  type Fault,
  type Refusal,
  validationStep,
} from '../../../src/model/index.ts'
import { DeskMarket } from '../../support/desk-market.ts'

const start = micros(1_767_603_600_000_000)
const wrong: Refusal = { reason: 'invalid_params', param: 'amount', problem: 'required' }

/** The events of one unreadable request at the start, except events of the house. */
function eventsOf(part: Partial<Command & { kind: 'unreadable' }>): readonly Event[] {
  const events: Event[] = []
  const sink = { emit: (event: Event) => events.push(event) }
  const exchange = createExchange(defaultConfig(start), sink)
  events.length = 0
  const command = {
    kind: 'unreadable',
    of: 'place_order',
    instrument: -1,
    validUntil: null,
    time: start,
    sequence: sequence(1),
    account: 0,
    session: 0,
    fault: null,
    ...part,
  } as Command
  apply(exchange, command, sink)
  return events
}

describe('an unreadable request', () => {
  test('has events of its intended kind, with the refusal of its fault, and is complete', () => {
    const fault: Fault = { step: validationStep.parameters, refusal: wrong }
    const [refusal, request] = eventsOf({ fault, of: 'edit_order' })
    expect(refusal).toMatchObject({ kind: 'refusal', command: 'edit_order', instrument: -1 })
    expect(refusal).toMatchObject({ refusal: wrong })
    expect(request).toMatchObject({ kind: 'request', outcome: 'refused', count: 0 })
  })

  test('names no instrument that is not listed', () => {
    const fault: Fault = { step: validationStep.parameters, refusal: wrong }
    expect(eventsOf({ fault, instrument: instrumentId(7) })[0]).toMatchObject({ instrument: -1 })
  })

  test.each([
    [validationStep.instrument, start, 'timed_out'],
    [validationStep.instrument, micros(start + 1), 'invalid_params'],
    [validationStep.parameters, start, 'invalid_params'],
  ] as const)('a placement with a fault at step %i, valid until %i: %s', (step, validUntil, reason) => {
    const [refusal] = eventsOf({ fault: { step, refusal: wrong }, validUntil })
    expect(refusal).toMatchObject({ refusal: { reason } })
  })

  test('quotes on Block RFQs are first refused to accounts that are not makers', () => {
    const fault: Fault = { step: validationStep.parameters, refusal: wrong }
    const [refusal] = eventsOf({ fault, of: 'add_rfq_quote' })
    expect(refusal).toMatchObject({ refusal: { reason: 'forbidden' } })
  })

  test('has a fault, or the program that made it is wrong', () => {
    expect(() => eventsOf({})).toThrow('an unreadable command has a fault')
  })
})

test('a control without its parameters says which one it lacks, and changes nothing', () => {
  const reply = new DeskMarket().ask(null, 'sim/lock_portfolio', {})
  expect(reply).toMatchObject({ error: { code: -32602, data: { param: 'account' } } })
})
