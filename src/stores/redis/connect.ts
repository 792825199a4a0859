import KeyvRedis from '@keyv/redis'
import { createClient, createCluster, createSentinel, ErrorReply } from '@redis/client'

import { within } from '../../lib/deadline.ts'
import { InvalidCursor, StoreUnavailable, storeDeadlineMs } from '../store.ts'
import type { RedisAddress } from './url.ts'

/** The connection to a Redis, or those to the nodes of a cluster. */
export interface RedisConnection {
  /**
   * Sends a command about one key. Rejects with `StoreUnavailable` when it fails, and when no reply
   * arrives in time: then the command may be executed or not.
   */
  send(key: string, mode: 'read' | 'write', command: readonly string[]): Promise<unknown>
  /** Reads or writes records, by their whole keys, through Keyv. Rejects as `send` does. */
  keyv<T>(work: (records: KeyvRecords) => Promise<T>): Promise<T>
  /** The servers that share the keys, in the order of their slots. Rejects as `send` does. */
  servers(): Promise<readonly RedisServer[]>
  close(): Promise<void>
}

/** The operations of `@keyv/redis` that the store uses. Times to live are in milliseconds. */
type KeyvRecords = Pick<KeyvRedis<string>, 'get' | 'set' | 'delete'>

/** The Redis with all keys, or a master of a cluster with the keys of its slots. */
export interface RedisServer {
  /** The first of its slots; 0 without a cluster. */
  readonly slot: number
  /** Sends a command that names no key. Rejects as `RedisConnection.send` does. */
  send(command: readonly string[]): Promise<unknown>
}

/**
 * The maximum number of commands without a reply. The client of a sentinel queues commands until it
 * has a master, even when their calls have timed out: an outage must not fill the memory.
 */
const maxPending = 5_000

/**
 * Tested against a Redis that is killed, stopped and restarted: commands are not queued during an
 * outage, pings detect a silent server, and the client always reconnects (the library's own
 * strategy gives up permanently after a socket timeout).
 */
const clientOptions = {
  disableOfflineQueue: true,
  commandsQueueMaxLength: maxPending,
  pingInterval: 500,
}

const socketOptions = { connectTimeout: 1_000, socketTimeout: 1_000, reconnectStrategy }

/** 50 ms, doubled up to a second, with jitter so that replicas reconnect at different times. */
function reconnectStrategy(retries: number): number {
  return Math.min(50 * 2 ** Math.min(retries, 10), 1_000) + Math.random() * 100
}

/** The time that the start waits for the first connection, in milliseconds. */
const firstConnectionMs = 1_500

/** The time that a cluster has to assign its slots before a new client connects. */
const reconnectMs = 1_000

interface Client {
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): unknown
}

/** Connects. Resolves even if Redis is unreachable: then calls fail until it is connected. */
export async function connectRedis(
  address: RedisAddress,
  onError: (error: unknown) => void,
): Promise<RedisConnection> {
  /** The client for commands; undefined until a client has connected. */
  let current: Connection | undefined
  let latest: Connection | undefined
  let connecting = false
  let closed = false
  let pending = 0

  /**
   * A client reconnects by itself after its first connection. Some give up before it, and the client
   * of a cluster without all its slots does not search for them: these are replaced by a new one.
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
    const opened = clientOf(address)
    // The client recovers by itself. Without a listener, its errors would end the process.
    opened.client.on('error', onError)
    return opened
  }

  const done = () => void pending--
  const failed = (error: unknown) => {
    done()
    if (error instanceof TypeError) void connect(reconnectMs)
  }

  async function guard<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (closed) throw new StoreUnavailable('The store has been closed.')
    if (!current) throw new StoreUnavailable('The store is not connected yet.')
    if (pending >= maxPending) {
      throw new StoreUnavailable('The store has too many pending commands.')
    }
    pending++
    const reply = Promise.try(work, current)
    reply.then(done, failed)
    return await withDeadline(reply)
  }

  await waitAtMost(firstConnectionMs, connect(0))
  return {
    send: (key, mode, command) => guard(({ send }) => send(key, mode === 'read', command)),
    keyv: (work) => guard(({ records }) => work(records)),
    servers: () =>
      guard(async ({ servers }) =>
        servers().map(({ slot, send }) => ({
          slot,
          send: (command) => guard(() => send(command)),
        })),
      ),
    async close() {
      if (closed) return
      closed = true
      for (const one of [current, latest]) if (one) end(one)
    },
  }
}

/** Ends a client's connections. */
export function end({ client }: Pick<Connection, 'client'>): void {
  try {
    client.destroy()
  } catch {
    // The client is not connected.
  }
}

interface Connection {
  readonly client: Client
  readonly send: Send
  /** One for all namespaces: each adds listeners to the client. */
  readonly records: KeyvRecords
  /** The servers, without deadlines. */
  servers(): RedisServer[]
  /** Receives the messages of a channel; again after a reconnection. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
}

type Send = (key: string, isRead: boolean, command: readonly string[]) => Promise<unknown>

/** Creates a client, which is not connected yet. */
export function clientOf(address: RedisAddress): Connection {
  switch (address.kind) {
    case 'single': {
      const client = createClient({
        ...clientOptions,
        url: address.url,
        socket: { ...socketOptions },
      })
      return connectionOf(client, (_key, _isRead, command) => client.sendCommand([...command]))
    }
    case 'sentinel': {
      const { username, password, tls } = address.access
      const node = {
        ...clientOptions,
        socket: { ...socketOptions, ...(tls && { tls: true as const }) },
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
      }
      const client = createSentinel({
        name: address.name,
        sentinelRootNodes: [...address.nodes],
        nodeClientOptions: node,
        sentinelClientOptions: { ...clientOptions, socket: { ...socketOptions } },
      })
      return connectionOf(client, (_key, isRead, command) =>
        client.sendCommand(isRead, [...command]),
      )
    }
    case 'cluster': {
      const { username, password, tls } = address.access
      const client = createCluster({
        rootNodes: address.nodes.map((node) => ({ socket: { ...node } })),
        defaults: {
          ...clientOptions,
          socket: { ...socketOptions, ...(tls && { tls: true as const }) },
          ...(username !== undefined && { username }),
          ...(password !== undefined && { password }),
        },
      })
      return connectionOf(
        client,
        (key, isRead, command) => client.sendCommand(key, isRead, [...command]),
        () =>
          firstSlots(client.slots).map(([master, slot]) => ({
            slot,
            send: async (command) => (await client.nodeClient(master)).sendCommand([...command]),
          })),
      )
    }
  }
}

/** The common interface of the clients of a server, of sentinels and of a cluster. */
type AnyClient = Client &
  Pick<Connection, 'subscribe'> &
  Exclude<ConstructorParameters<typeof KeyvRedis>[0], string | undefined>

/** `servers`: the servers of a cluster. */
function connectionOf(
  client: AnyClient,
  send: Send,
  servers: Connection['servers'] = () => [{ slot: 0, send: (command) => send('', true, command) }],
): Connection {
  // Without `throwOnErrors`, a failed read resolves with undefined, like a missing record.
  const records = new KeyvRedis<string>(client, { throwOnErrors: true })
  // The client reports errors of the connection itself; a failed call rejects.
  records.on('error', () => {})
  const subscribe: Connection['subscribe'] = (channel, listener) =>
    client.subscribe(channel, listener)
  return { client, send, records, servers, subscribe }
}

/** Each master of a cluster with the first of its slots, in their order. */
function firstSlots<Master>(
  slots: readonly ({ readonly master: Master } | undefined)[],
): [Master, number][] {
  const first = new Map<Master, number>()
  for (const [slot, shard] of slots.entries()) {
    if (shard && !first.has(shard.master)) first.set(shard.master, slot)
  }
  return [...first]
}

/** Rejects after the deadline. The client's own limits do not cover a command that it has sent. */
export async function withDeadline<T>(reply: Promise<T>): Promise<T> {
  try {
    return await within(storeDeadlineMs, reply, late)
  } catch (cause) {
    if (cause instanceof StoreUnavailable || cause instanceof InvalidCursor) throw cause
    throw new StoreUnavailable(`The store failed: ${reasonOf(cause)}.`, { cause })
  }
}

function late(): StoreUnavailable {
  return new StoreUnavailable('The store did not answer in time.')
}

/** Only the first word of a reply: it names the error, and the rest may quote a command. */
export function reasonOf(cause: unknown): string {
  const { message, code, constructor } = cause as Error & { code?: string }
  return cause instanceof ErrorReply
    ? (message.split(' ')[0] ?? 'an error')
    : (code ?? constructor.name)
}

/** Whether a command failed because its record is no string: only this record is damaged. */
export function isWrongType(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : undefined
  return cause instanceof ErrorReply && cause.message.startsWith('WRONGTYPE')
}

/** Waits for a promise, at most for this time, and keeps the process alive until then. */
async function waitAtMost(limitMs: number, promise: Promise<void>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([promise, timeout])
  clearTimeout(timer)
}

/** Resolves after a time. The timer does not keep the process alive. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
}
