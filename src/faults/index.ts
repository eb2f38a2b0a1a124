/**
 * Faults on the way of messages, blind to who carries them: rules, and which message meets which of them.
 */
export {
  createFaults,
  type FaultCount,
  type FaultMessage,
  type Faults,
  type FaultsState,
  faultCounts,
  faultOf,
  isHalfOpen,
  loadFaults,
  nextHalfOpenEdge,
  saveFaults,
  setFaultRules,
} from './faults.ts'
export {
  type FaultRule,
  faultChannels,
  faultFields,
  faultKinds,
  LATE_MAX,
  ruleMistakes,
  ruleOf,
  type SaidRule,
} from './rules.ts'
