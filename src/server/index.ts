/**
 * The exports of `server`: the venue's interface over HTTP and WebSockets.
 */
export {
  createServer,
  createTestVenue,
  type MarketAccess,
  type Server,
  type ServerOptions,
} from './server.ts'
