/**
 * Reads a desk in the ways that clients, audits and snapshots do, but without a request: the functions are called directly.
 * A read uses no sequence number, event or rate credit, so a run with reads can be compared with a run without them.
 */
import { type RandomStream, sequence } from '../../src/core/index.ts'
import { audit, auditCopy, stateHash } from '../../src/engine/index.ts'
import { findMethod } from '../../src/gateways/index.ts'
import { type Desk, type RequestParams, snapshotDesk } from '../../src/rpc/index.ts'
import { methodParams } from '../../src/testing/index.ts'
import { queryNames } from './query-params.ts'

/** Ways to read a desk. */
export const looks = ['queries', 'audit', 'hash', 'snapshot', 'copy'] as const
type Look = (typeof looks)[number]

/** Reads a desk in one way. */
export function look(desk: Desk, way: Look, chance: RandomStream): void {
  switch (way) {
    case 'queries':
      askAll(desk, chance)
      return
    case 'audit':
      audit(desk.exchange)
      return
    case 'hash':
      stateHash(desk.exchange)
      return
    case 'snapshot':
      snapshotDesk(desk)
      return
    case 'copy':
      auditCopy(desk.exchange)
  }
}

/** Asks each query of the method table once, private ones for a random account. */
function askAll(desk: Desk, chance: RandomStream): void {
  const accounts = desk.exchange.accounts.filter(({ account }) => !account.house)
  for (const name of queryNames) {
    const isPrivate = name.startsWith('private/')
    if (isPrivate && accounts.length === 0) continue
    const asker = isPrivate ? chance.pick(accounts).account.id : -1
    const params = methodParams(name, desk, (count) => chance.int(0, count - 1))
    answer(desk, { name, asker, params })
  }
}

interface Question {
  readonly name: string
  readonly asker: number
  readonly params: RequestParams
}

/** Builds the reply to a query; does nothing if its parameters are wrong. */
function answer({ exchange, history, kept, faults, methods }: Desk, question: Question): void {
  const method = findMethod(question.name)
  const params = method?.params.safeParse(question.params)
  if (method === undefined || params?.success !== true) return
  const { now, lastSequence, eventCount } = exchange
  const context = {
    ...{ exchange, history, kept, faults, methods, key: null, session: 0 },
    // Ids in the state are ids of accounts of the engine.
    account: question.asker as never,
    cause: sequence(lastSequence),
    execution: { number: eventCount, receivedAt: now, time: now },
    ...{ count: 0, trades: [], order: undefined, cancelled: [], moved: [], rfqQuotes: [] },
    ...{ quoted: undefined, served: null },
  }
  if (method.read(context, params.data as never).fault !== null) return
  if (method.rejection?.(context, params.data as never) != null) return
  method.reply(context, params.data as never)
}
