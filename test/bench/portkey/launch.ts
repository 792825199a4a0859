/** Starts the pinned build on loopback: it has no host flag and would listen on every address. */

import { Server, type ListenOptions } from 'node:net'

const { listen } = Server.prototype as { listen: (options: ListenOptions, done: unknown) => Server }

/** The one way the build calls it: a port, no host, a callback. */
function listenOnLoopback(this: Server, port: number, _host: undefined, done: unknown): Server {
  return listen.call(this, { port, host: '127.0.0.1' }, done)
}

Object.assign(Server.prototype, { listen: listenOnLoopback })

const entry = 'node_modules/@portkey-ai/gateway/build/start-server.js'
await import(new URL(entry, import.meta.url).href)
