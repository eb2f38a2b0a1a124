/** Faults of messages, independent of their transport: rules, and the messages that they affect. */
export * from './faults.ts'
