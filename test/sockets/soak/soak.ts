import { until } from '../../../src/testing/until.ts'
import { type Client, connectResponses, idOf, startStage, typesOf } from '../responses.ts'

/** The size of a soak. */
export interface Soak {
  readonly seconds: number
  /** Sockets that only wait. */
  readonly idle: number
  /** Sockets that create one response after another. */
  readonly busy: number
  /** Collects garbage. Absent: the heap is not measured. */
  readonly collect?: (() => void) | undefined
}

/** What a soak has done, and what it has left behind. */
export interface Soaked {
  readonly responses: number
  readonly failures: number
  readonly reconnects: number
  /** The memory that the process has more at the end than after a fifth of the time, in MiB. */
  readonly growth: number
  /** The codes of the close frames that idle sockets got at the end, each with its number. */
  readonly codes: Readonly<Record<string, number>>
  readonly left: {
    readonly sockets: number
    readonly inflight: number
    readonly held: number
    readonly streams: number
  }
}

/** The models of busy sockets: answers, streams that break off, refusals, and words that take their time. */
const models = [
  'sandbox/echo',
  'sandbox/words=30+pace=5',
  'sandbox/cut=6',
  'sandbox/status=400',
  'nowhere',
  'sandbox/tool',
]

/** Runs sockets for some time, of which some leave while they get a response, and then shuts the gateway down. */
export async function soak({ seconds, idle, busy, collect }: Soak): Promise<Soaked> {
  await using stage = await startStage()
  const { gateway } = stage
  const waiting = await Promise.all(Array.from({ length: idle }, () => connectResponses(gateway)))
  const end = performance.now() + seconds * 1_000
  let responses = 0
  let failures = 0
  let reconnects = 0

  /** What the test itself keeps of each call. */
  const forgetLogs = () => {
    for (const lines of [gateway.accessLog, gateway.attemptWarnings])
      (lines as unknown[]).length = 0
  }

  async function work(number: number): Promise<void> {
    let client: Client = await connectResponses(gateway)
    let previous: string | undefined
    for (let turn = number; performance.now() < end; turn++) {
      const model = models[turn % models.length]
      if (turn % 11 === 10) {
        // It leaves in the middle of a response.
        client.create({ model: 'sandbox/words=200+pace=5' })
        await client.next()
        await client[Symbol.asyncDispose]()
        client = await connectResponses(gateway)
        previous = undefined
        reconnects++
        continue
      }
      const chained = previous !== undefined && { previous_response_id: previous }
      const events = await client.respond({
        model,
        store: false,
        input: `turn ${turn}`,
        ...chained,
      })
      responses++
      if (typesOf(events).at(-1) === 'response.completed') previous = idOf(events)
      else failures++
      if (turn % 5 === 0) previous = undefined
      client.forget()
    }
    await client[Symbol.asyncDispose]()
  }

  const working = Promise.all(Array.from({ length: busy }, (_, number) => work(number)))
  await new Promise((resolve) => setTimeout(resolve, seconds * 200))
  forgetLogs()
  const before = heap(collect)
  await working
  await until(() => gateway.gateway.inflight() === 0)
  forgetLogs()
  const after = heap(collect)
  gateway.gateway.drain()
  const codes: Record<string, number> = {}
  for (const client of waiting) {
    const [code] = await client.closed
    codes[code] = (codes[code] ?? 0) + 1
  }
  await until(() => gateway.gateway.sockets.size === 0)
  return {
    responses,
    failures,
    reconnects,
    growth: Math.round(((after - before) / 1024 / 1024) * 10) / 10,
    codes,
    left: {
      sockets: gateway.gateway.sockets.size,
      inflight: gateway.gateway.inflight(),
      held: gateway.gateway.held(),
      streams: stage.sandbox.openStreams(),
    },
  }
}

function heap(collect: (() => void) | undefined): number {
  if (!collect) return 0
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
