/** Faults of messages, independent of their transport: rules, and the messages that they affect. */
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
