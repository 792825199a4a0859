import { createClient, createCluster, createSentinel, ErrorReply } from '@redis/client'

import { StoreUnavailable, storeDeadlineMs } from '../store.ts'
import type { RedisPlace } from './url.ts'

/** One connection, or as many as a cluster needs. */
export interface RedisConnection {
  /**
   * Sends a command about one key. Rejects with `StoreUnavailable` when it fails, and when no answer
   * came in time: then it may have been done or not.
   */
  send(key: string, mode: 'read' | 'write', command: readonly string[]): Promise<unknown>
  close(): Promise<void>
}

/**
 * So many commands at once may have no answer yet. A sentinel's client holds those that nobody waits
 * for any more until it has a master again: an outage must not fill the memory.
 */
const mostPending = 5_000

/**
 * Tested against a Redis that was killed, stopped and restarted: nothing is queued while it is away,
 * a silent one is noticed by pings, and the connection is always tried again (the library's own
 * strategy gives up for good after a socket timeout).
 */
const clientOptions = {
  disableOfflineQueue: true,
  commandsQueueMaxLength: mostPending,
  pingInterval: 500,
}

const socketOptions = { connectTimeout: 1_000, socketTimeout: 1_000, reconnectStrategy }

/** 50 ms, doubled up to a second, and a little more so that replicas do not return in step. */
function reconnectStrategy(retries: number): number {
  return Math.min(50 * 2 ** Math.min(retries, 10), 1_000) + Math.random() * 100
}

/** How long the start waits for a first connection, in milliseconds. After that it comes when it comes. */
const firstConnectionMs = 1_500

/** How long a cluster gets to give its slots out before it is looked at again, in milliseconds. */
const renewMs = 1_000

interface Client {
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): unknown
}

/** Connects, and resolves even where Redis is away: then calls fail until it is there. */
export async function connectRedis(
  place: RedisPlace,
  onError: (error: unknown) => void,
): Promise<RedisConnection> {
  /** The client that is asked, once there is one that was ever connected. */
  let current: Connection | undefined
  let latest: Connection | undefined
  let connecting = false
  let closed = false
  let pending = 0

  /**
   * A client that has been connected finds its way back. Some give up where they never were, and
   * that of a cluster without all its slots does not look for them again: then there is another.
   */
  async function connect(afterMs: number): Promise<void> {
    if (connecting) return
    connecting = true
    if (afterMs > 0) await pause(afterMs)
    for (let retries = 0; ; retries++) {
      if (closed) break
      const next = (latest = open())
      try {
        await next.client.connect()
        if (current) end(current)
        current = next
        if (closed) end(next)
        break
      } catch (error) {
        end(next)
        if (!closed) onError(error)
        await pause(reconnectStrategy(retries))
      }
    }
    connecting = false
  }

  function open(): Connection {
    const opened = clientOf(place)
    // The client goes on by itself; without a listener its errors would end the process.
    opened.client.on('error', onError)
    return opened
  }

  const done = () => void pending--
  const failed = (error: unknown) => {
    done()
    if (error instanceof TypeError) void connect(renewMs)
  }

  await within(firstConnectionMs, connect(0))
  return {
    async send(key, mode, command) {
      if (closed) throw new StoreUnavailable('The store has been closed.')
      if (!current) throw new StoreUnavailable('The store has not been reached yet.')
      if (pending >= mostPending) {
        throw new StoreUnavailable('The store cannot keep up with what is asked.')
      }
      pending++
      const answer = Promise.try(current.send, key, mode === 'read', command)
      answer.then(done, failed)
      return await bounded(answer)
    },
    async close() {
      if (closed) return
      closed = true
      for (const one of [current, latest]) if (one) end(one)
    },
  }
}

function end({ client }: Connection): void {
  try {
    client.destroy()
  } catch {
    // It was not connected.
  }
}

interface Connection {
  readonly client: Client
  readonly send: Send
}

type Send = (key: string, isRead: boolean, command: readonly string[]) => Promise<unknown>

function clientOf(place: RedisPlace): Connection {
  switch (place.kind) {
    case 'single': {
      const client = createClient({ ...clientOptions, url: place.url, socket: socketOptions })
      return { client, send: (_key, _isRead, command) => client.sendCommand([...command]) }
    }
    case 'sentinel': {
      const { username, password, tls } = place.access
      const node = {
        ...clientOptions,
        socket: { ...socketOptions, ...(tls && { tls: true as const }) },
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
      }
      const client = createSentinel({
        name: place.name,
        sentinelRootNodes: [...place.nodes],
        nodeClientOptions: node,
        sentinelClientOptions: { ...clientOptions, socket: socketOptions },
      })
      return { client, send: (_key, isRead, command) => client.sendCommand(isRead, [...command]) }
    }
    case 'cluster': {
      const { username, password, tls } = place.access
      const client = createCluster({
        rootNodes: place.nodes.map((node) => ({ socket: { ...node } })),
        defaults: {
          ...clientOptions,
          socket: { ...socketOptions, ...(tls && { tls: true as const }) },
          ...(username !== undefined && { username }),
          ...(password !== undefined && { password }),
        },
      })
      return {
        client,
        send: (key, isRead, command) => client.sendCommand(key, isRead, [...command]),
      }
    }
  }
}

/** The client's own limits do not cover a command that has been sent already. */
async function bounded(answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new StoreUnavailable('The store did not answer in time.')),
      storeDeadlineMs,
    )
  })
  try {
    return await Promise.race([answer, late])
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause
    throw new StoreUnavailable(`The store failed: ${reasonOf(cause)}.`, { cause })
  } finally {
    clearTimeout(timer)
  }
}

/** What Redis answers may quote a command; its first word says what is wrong. */
function reasonOf(cause: unknown): string {
  const { message, code, constructor } = cause as Error & { code?: string }
  return cause instanceof ErrorReply
    ? (message.split(' ')[0] ?? 'an error')
    : (code ?? constructor.name)
}

/** Waits for no longer than this, in milliseconds, and keeps the process alive meanwhile. */
async function within(limitMs: number, wanted: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([wanted, late])
  clearTimeout(timer)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
