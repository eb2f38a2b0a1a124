/**
 * The exports of `server`: the venue's interface over HTTP and WebSockets.
 */
export * from './server.ts'
