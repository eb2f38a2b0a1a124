/** The methods that only read, by their name. */
import { findMethod, methodNames } from '../../src/gateways/index.ts'

export const queryNames: readonly string[] = methodNames.filter((name) => {
  const method = findMethod(name)
  if (method?.command !== 'query') return false
  // A desk has no connection for methods that a connection answers.
  return method.afterwards === undefined && method.note === undefined && method.served !== true
})
