/**
 * The registry of metrics of servers. The build bundles the package into this file, so that users without a server need
 * not install it.
 */
export { Counter, Gauge, Registry } from 'prom-client'
