/** A venue for programs: a request router with a clock, its accounts and its settings. */
export * from './failed-run.ts'
export * from './venue.ts'
