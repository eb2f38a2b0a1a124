/** The WebSockets of servers. The build puts the package into this file, so that users need not install it. */
export { type WebSocket, WebSocketServer } from 'ws'
