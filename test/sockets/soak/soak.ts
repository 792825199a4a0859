import { setTimeout as sleep } from 'node:timers/promises'

import { until } from '../../../src/testing/until.ts'
import { type Client, startStage } from '../responses.ts'
import { type Api, type Tally, apis } from './apis.ts'

/** The size of a soak. */
export interface Soak {
  readonly api: keyof typeof apis
  readonly seconds: number
  /** Sockets that only wait. */
  readonly idle: number
  /** Sockets that create one response after another. */
  readonly busy: number
  /** Collects garbage. Absent: the heap is not measured. */
  readonly collect?: (() => void) | undefined
}

/** What a soak has done, and what it has left behind. */
export interface Soaked extends Tally {
  /** The long responses that a client has read late and whole. */
  readonly slowReplies: number
  /**
   * The memory that the process has more at the end than once it was warm, in MiB. Absent: it was not measured, or the process
   * has not become warm.
   */
  readonly growth: number | undefined
  /** The codes of the close frames that idle sockets got at the end, each with its number. */
  readonly codes: Readonly<Record<string, number>>
  readonly left: {
    readonly sockets: number
    /** Connections of the process, of clients, gateway and accounts together. */
    readonly connections: number
    readonly inflight: number
    /** Bytes of the memory for bodies. */
    readonly held: number
    /** Calls that the limits of the key count as running. */
    readonly admitted: number
    readonly streams: number
  }
}

const key = 'soak-secret'

/** The responses after which caches are full, such as the sandbox's of its last 1,000 requests. */
const warmResponses = 3_000

/** Limits of the key, so that calls are admitted and settled, by leases too. */
const quotas = [
  { kind: 'concurrent', amount: 100_000 },
  { kind: 'requests', amount: 100_000_000, window: '1h' },
  { kind: 'tokens', amount: 100_000_000_000, window: 'day' },
]

/** Runs sockets for some time, of which some leave while they get a response, and then shuts the gateway down. */
export async function soak(size: Soak): Promise<Soaked> {
  const before = connections()
  const { left, ...soaked } = await soakGateway(size)
  await until(() => connections() <= before)
  return { ...soaked, left: { ...left, connections: connections() - before } }
}

async function soakGateway({ api: name, seconds, idle, busy, collect }: Soak) {
  const api: Api = apis[name]
  const keys = [{ id: 'soak', secret: key, quotas: quotas as never }]
  await using stage = await startStage({ keys })
  const gateway = { ...stage.gateway, key }
  const waiting = await Promise.all(Array.from({ length: idle }, () => api.connect(gateway)))
  const tally: Tally = { responses: 0, intended: 0, failures: [], departures: 0 }

  const quiet = gateway.gateway.inflight()
  const slow = await api.connect(gateway, longest)
  const end = performance.now() + seconds * 1_000
  const isOver = () => performance.now() >= end

  /** What the test itself keeps of each call. */
  const forgetLogs = () => {
    for (const lines of [gateway.accessLog, gateway.attemptWarnings])
      (lines as unknown[]).length = 0
  }

  async function work(first: number): Promise<void> {
    let number = first
    do await api.session(gateway, number++, tally, isOver)
    while (!isOver())
  }

  let early: number | undefined
  const isWarm = () => tally.responses >= warmResponses
  const working = Promise.all(Array.from({ length: busy }, (_, number) => work(number)))
  await until(() => isWarm() || isOver(), seconds * 1_000 + 1_000)
  forgetLogs()
  if (isWarm()) early = heap(collect)
  // What waits for it is no growth.
  const reading = readSlowly(api, slow, end, isOver)
  await working
  const slowReplies = await reading
  await slow[Symbol.asyncDispose]()
  await until(() => gateway.gateway.inflight() <= quiet)
  forgetLogs()
  const late = heap(collect)
  const growth = early && late && Math.round(((late - early) / 1024 / 1024) * 10) / 10
  gateway.gateway.drain()
  const codes: Record<string, number> = {}
  for (const client of waiting) {
    const [code] = await client.closed
    codes[code] = (codes[code] ?? 0) + 1
  }
  await until(() => gateway.gateway.sockets.size === 0 && gateway.gateway.inflight() === 0)
  await until(async () => (await admitted(gateway.url)) === 0)

  return {
    ...tally,
    slowReplies,
    growth,
    codes,
    left: {
      sockets: gateway.gateway.sockets.size,
      inflight: gateway.gateway.inflight(),
      held: gateway.gateway.held(),
      admitted: await admitted(gateway.url),
      streams: stage.sandbox.openStreams(),
    },
  }
}

/** A response that is larger than the buffers of the system. */
const longest = 'sandbox/words=60000'

/** How long the slow reader reads nothing, in milliseconds. A client that answers no ping for longer counts as gone. */
const pauseMs = 20_000

/** A client that reads each of its long responses late. Resolves with their number; rejects if the socket ends. */
async function readSlowly(
  api: Api,
  client: Client,
  end: number,
  isOver: () => boolean,
): Promise<number> {
  let replies = 0
  let ended = Promise.withResolvers<void>()
  client.socket.on('message', (data: Buffer) => {
    client.texts.length = 0
    if (/"type":"(?:response\.(?:completed|done)|error)"/.test(data.toString())) ended.resolve()
  })
  void client.closed.then(() => ended.reject(new Error('The socket of the slow reader has ended.')))
  do {
    ended = Promise.withResolvers()
    const first = client.next()
    api.create(client, longest)
    await first
    client.socket.pause()
    await sleep(Math.max(0, Math.min(pauseMs, end - performance.now())))
    client.socket.resume()
    await ended.promise
    replies++
  } while (!isOver())
  return replies
}

async function admitted(url: string): Promise<number> {
  const response = await fetch(`${url}/dragoman/key`, { headers: { 'x-api-key': key } })
  const { limits } = (await response.json()) as { limits: { kind: string; held: number }[] }
  return limits.find(({ kind }) => kind === 'concurrent')?.held ?? NaN
}

function connections(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

function heap(collect: (() => void) | undefined): number | undefined {
  if (!collect) return undefined
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
