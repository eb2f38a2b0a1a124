/** Faults of messages, independent of their transport: rules, and the messages that they affect. */
export * from './faults.ts'
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
