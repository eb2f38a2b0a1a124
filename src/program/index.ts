/** A venue for programs: a request router with a clock, its accounts and its settings. */
export type { Answered, Asked, Asker, AskOptions, Held, MethodReply, RequestId } from './asking.ts'
export { openVenue, Venue, type VenueOptions } from './venue.ts'
