/**
 * Answers queries outside of a run: with the same views as replies to requests, but without a request, so that a query
 * changes neither the journal nor the numbers of later requests.
 */
import { assert, defined, err, ok, type Result } from '../../core/index.ts'
import { findAccount } from '../../engine/index.ts'
import { findMethod } from '../../gateways/index.ts'
import { type Desk, type RequestParams, viewContext } from '../../rpc/index.ts'

/** A query in the form of a request. */
export interface Query {
  readonly account: string | null
  readonly method: string
  readonly params: RequestParams
}

/** The venue's current answer, or the word for its refusal. */
export function answerOf(desk: Desk, query: Query): Result<unknown, string> {
  const { exchange, history, kept, faults, methods } = desk
  const method = defined(findMethod(query.method), 'a final check names a method')
  assert(method.command === 'query', 'only queries can be answered outside the run')
  const asker = query.account === null ? undefined : findAccount(exchange, query.account)
  if (query.account !== null && asker === undefined) return err('an account that is not open')
  const params = method.params.safeParse(query.params)
  if (!params.success) return err('invalid_params')
  const context = {
    exchange,
    history,
    account: asker?.id ?? -1,
    key: null,
    session: 0,
    kept,
    faults,
    methods,
  } as const
  const { fault } = method.read(context, params.data)
  if (fault !== null) return err(fault.refusal.reason)
  const asked = viewContext(context)
  const error = method.rejection?.(asked, params.data) ?? null
  return error === null ? ok(method.reply(asked, params.data)) : err(error.message)
}
