/**
 * The log writer of servers. The build bundles the package into this file, so that users without a server need not
 * install it.
 */
export { pino } from 'pino'
