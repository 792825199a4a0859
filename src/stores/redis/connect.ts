import { createClient, createCluster, createSentinel } from '@redis/client'

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
 * Tested against a Redis that was killed, stopped and restarted: nothing is queued while it is away,
 * a silent one is noticed by pings, and the connection is always tried again (the library's own
 * strategy gives up for good after a socket timeout).
 */
const clientOptions = {
  disableOfflineQueue: true,
  commandsQueueMaxLength: 5_000,
  pingInterval: 500,
}

const socketOptions = { connectTimeout: 1_000, socketTimeout: 1_000, reconnectStrategy }

/** 50 ms, doubled up to a second, and a little more so that replicas do not return in step. */
function reconnectStrategy(retries: number): number {
  return Math.min(50 * 2 ** Math.min(retries, 10), 1_000) + Math.random() * 100
}

/** How long the start waits for a first connection, in milliseconds. After that it comes when it comes. */
const firstConnectionMs = 1_500

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
  const { client, send } = clientOf(place)
  // The client goes on by itself; without a listener its errors would end the process.
  client.on('error', onError)
  const connected = client.connect().catch(onError)
  await Promise.race([connected, pause(firstConnectionMs)])
  let closed = false
  return {
    async send(key, mode, command) {
      if (closed) throw new StoreUnavailable('The store has been closed.')
      return await bounded(send(key, mode === 'read', command))
    },
    async close() {
      if (closed) return
      closed = true
      try {
        client.destroy()
      } catch {
        // It was not connected.
      }
    },
  }
}

type Send = (key: string, isRead: boolean, command: readonly string[]) => Promise<unknown>

function clientOf(place: RedisPlace): { client: Client; send: Send } {
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
  const { name, message } = cause as Error
  return name === 'Error' || name === 'ErrorReply' ? (message.split(' ')[0] ?? name) : name
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
