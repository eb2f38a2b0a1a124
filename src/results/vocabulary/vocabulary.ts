/**
 * The closed vocabularies of the result tables: which words of the model each takes. The position of a word is its
 * code, which files and digests contain.
 */
import { assert } from '../../core/index.ts'
import {
  advancedTypes,
  cashTypes,
  commandKinds,
  currencies,
  feedChecks,
  feedPolicies,
  fillRules,
  gatewayPairs,
  givenTypes,
  instrumentKinds,
  instrumentStates,
  liquidationCurrencies,
  liquidationKinds,
  liquidationOutcomes,
  liquidationRoutes,
  liquidities,
  marginModels,
  marketKinds,
  markKinds,
  markSources,
  matchingEngines,
  mmpTriggers,
  optionRights,
  orderChanges,
  orderReasons,
  orderStates,
  orderTypes,
  payoffs,
  pickRules,
  postOnlyModes,
  protectionChanges,
  protectionKinds,
  protectionReasons,
  rejectReasons,
  sessionKinds,
  settlementPeriods,
  settlementScopes,
  settlementTypes,
  shownOrigins,
  sides,
  tickDirections,
  timesInForce,
  tradeLiquidations,
  tradeSides,
  triggerSources,
} from '../../model/index.ts'

export const vocabulary = {
  currency: currencies,
  side: sides,
  orderChange: orderChanges,
  orderType: orderTypes,
  timeInForce: timesInForce,
  orderState: orderStates,
  postOnly: postOnlyModes,
  orderReason: orderReasons,
  advanced: advancedTypes,
  orderOrigin: shownOrigins,
  triggerSource: triggerSources,
  liquidity: liquidities,
  fillRule: fillRules,
  tradeSide: tradeSides,
  tradeLiquidation: tradeLiquidations,
  cashType: cashTypes,
  givenType: givenTypes,
  liquidationKind: liquidationKinds,
  liquidationCurrency: liquidationCurrencies,
  liquidationOutcome: liquidationOutcomes,
  liquidationRoute: liquidationRoutes,
  pickRule: pickRules,
  protectionKind: protectionKinds,
  protectionChange: protectionChanges,
  protectionReason: protectionReasons,
  mmpTrigger: mmpTriggers,
  sessionKind: sessionKinds,
  marketKind: marketKinds,
  feedCheck: feedChecks,
  feedPolicy: feedPolicies,
  tickDirection: tickDirections,
  markKind: markKinds,
  markSource: markSources,
  engine: matchingEngines,
  gateway: gatewayPairs,
  instrumentState: instrumentStates,
  settlementType: settlementTypes,
  settlementScope: settlementScopes,
  instrumentKind: instrumentKinds,
  payoff: payoffs,
  settlementPeriod: settlementPeriods,
  optionRight: optionRights,
  marginModel: marginModels,
  command: commandKinds,
  rejectReason: rejectReasons,
} as const

/**
 * The code of a word. The lists are short and their words interned, so that a scan costs less than
 * a hash lookup.
 */
export function codeOf(words: readonly string[], word: string): number {
  for (let code = 0; code < words.length; code += 1) {
    if (words[code] === word) return code
  }
  assert(false, `a word belongs to its vocabulary, found ${word}`)
  return -1
}
