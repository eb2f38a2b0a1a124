/**
 * The registry of metrics of servers. The build puts the package into this file, so that who installs Pitclock without a
 * server installs none of it.
 */
export { Counter, Gauge, Registry } from 'prom-client'
