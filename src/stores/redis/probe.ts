import { StoreUnavailable } from '../store.ts'
import { type RedisConnection, type RedisServer, connectRedis, reasonOf } from './connect.ts'
import { parseRedisUrl } from './url.ts'

/** The clock of a server, read between two moments of this machine; all in milliseconds since 1970. */
interface ClockReading {
  readonly time: number
  readonly before: number
  readonly after: number
}

/** A Redis's own report. */
interface RedisProbe {
  /** The longest round trip to one of its servers, in milliseconds. */
  readonly pingMs: number
  /** Absent: this user may not read it. */
  readonly clock?: ClockReading
  /** The policy by which it drops records when its memory is full. Absent: none, or unknown. */
  readonly eviction?: string
  /** Whether a server is a replica, which takes no writes. */
  readonly isReplica: boolean
}

/**
 * Asks the servers of a Redis for their clocks and settings, and writes nothing. Rejects with
 * `StoreUnavailable`, whose message has the reason of a failed connection and no secret. A `TypeError` for
 * another URL.
 */
export async function probeRedis(url: string): Promise<RedisProbe> {
  const address = parseRedisUrl(url)
  if (!address) throw new TypeError('This is not the URL of a Redis.')
  let lastError: unknown
  const connection = await connectRedis(address, (error) => void (lastError = error))
  try {
    const answers = await Promise.all(
      (await serversOf(connection, () => lastError)).map(probeServer),
    )
    const clocks = answers.flatMap(({ clock }) => clock ?? [])
    const [clock] = clocks.toSorted((a, b) => distanceOf(b) - distanceOf(a))
    const eviction = answers.find((one) => one.eviction !== undefined)?.eviction
    return {
      pingMs: Math.max(...answers.map(({ pingMs }) => pingMs)),
      // Reads of a sentinel's client may go to a replica by intent.
      isReplica: address.kind !== 'sentinel' && answers.some((one) => one.isReplica),
      ...(clock && { clock }),
      ...(eviction !== undefined && { eviction }),
    }
  } finally {
    await connection.close()
  }
}

async function serversOf(
  connection: RedisConnection,
  lastError: () => unknown,
): Promise<readonly RedisServer[]> {
  try {
    return await connection.servers()
  } catch (cause) {
    const error = lastError()
    if (error === undefined) throw cause
    throw new StoreUnavailable(`The store cannot be reached (${reasonOf(error)}).`, { cause })
  }
}

async function probeServer(server: RedisServer) {
  // Its answers show the round trip even if the user may not run a command.
  const { info, pingMs } = await timed(() => infoOf(server))
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  const isBounded = /^maxmemory:[1-9]/m.test(info)
  const before = Date.now()
  const time = await timeOf(server)
  return {
    pingMs,
    isReplica: /^role:slave/m.test(info),
    clock: time === undefined ? undefined : { time, before, after: Date.now() },
    eviction: isBounded && policy !== 'noeviction' ? policy : undefined,
  }
}

async function timed(work: () => Promise<string>) {
  const startedAt = performance.now()
  return { info: await work(), pingMs: Math.round(performance.now() - startedAt) }
}

async function infoOf(server: RedisServer): Promise<string> {
  const answers = ['memory', 'replication'].map((section) =>
    unlessRefused(server, ['INFO', section]),
  )
  return (await Promise.all(answers)).map(String).join('\n')
}

async function timeOf(server: RedisServer): Promise<number | undefined> {
  const answer = await unlessRefused(server, ['TIME'])
  const [seconds, microseconds] = Array.isArray(answer) ? answer.map(Number) : []
  if (seconds === undefined || microseconds === undefined) return undefined
  const time = seconds * 1_000 + microseconds / 1_000
  return Number.isFinite(time) ? time : undefined
}

/** The answer to a command that the user may lack the right to run: then `undefined`. */
async function unlessRefused(server: RedisServer, command: readonly string[]): Promise<unknown> {
  try {
    return await server.send(command)
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    if (cause !== undefined && reasonOf(cause) === 'NOPERM') return undefined
    throw error
  }
}

function distanceOf({ time, before, after }: ClockReading): number {
  return Math.abs(time - (before + after) / 2)
}
