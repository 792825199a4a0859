import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type SandboxAccount, defaultAccounts, createAccount } from './accounts.ts'
import type { RecordedRequest } from './recording.ts'
import { type SandboxState, serve } from './serve.ts'
import { createSockets } from './sockets.ts'

export type { SandboxAccount } from './accounts.ts'
export type { RecordedRequest } from './recording.ts'

/** The settings of `startSandbox`. */
export type SandboxOptions = {
  /** Default 127.0.0.1. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** Default: `a` with the key `sandbox-key-a`, and `b` with `sandbox-key-b`. */
  accounts?: SandboxAccount[]
  pace?: {
    /** Milliseconds between the events of every stream; default 0. A `pace` directive wins. */
    eventDelayMs?: number
  }
  /** How long an idle connection stays open, in milliseconds; default 5000. */
  keepAliveTimeoutMs?: number
}

/** A running sandbox. */
export type Sandbox = {
  /** The origin, without a slash at the end. */
  url: string
  port: number
  accounts: SandboxAccount[]
  /** The last 1000 requests as received, oldest first. */
  requests: RecordedRequest[]
  /** The number of streamed replies that have not ended, stalled ones included. */
  openStreams(): number
  /** Drops every connection and stops listening. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a server that stands in for the model providers. Rejects if the port is in use. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, accounts = [...defaultAccounts] } = options
  const state: SandboxState = {
    accounts: accounts.map(createAccount),
    requests: [],
    streams: new Set(),
    flaky: { requests: 0 },
    eventDelayMs: options.pace?.eventDelayMs ?? 0,
  }
  const server = createServer((request, response) => void serve(state, request, response))
  const sockets = createSockets(state)
  server.on('upgrade', (request, socket, head) => {
    void sockets.open(request, socket as Socket, head)
  })
  server.keepAliveTimeout = options.keepAliveTimeoutMs ?? 5000

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const bound = (server.address() as AddressInfo).port
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
      sockets.closeAll()
    })

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    accounts,
    requests: state.requests,
    openStreams: () => state.streams.size,
    close,
    [Symbol.asyncDispose]: close,
  }
}
