import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** How a client calls: one call after another, with pauses on an open connection, or streams. */
export type Manner = 'closed loop' | 'paused' | 'streams'

/** The calls of a group of clients. */
export interface Tally {
  calls: number
  readonly failures: string[]
}

/** Clients that call until they are stopped. */
export interface Clients {
  readonly tally: Record<Manner, Tally>
  /** Resolves when the last call has ended. */
  stop(): Promise<void>
}

interface Options {
  readonly url: string
  readonly secret: string
  /** The number of clients for each manner. */
  readonly counts: Record<Manner, number>
}

/** The longest pause of a paused client, in milliseconds. */
const longestPauseMs = 2_000

const models: Record<Manner, string> = {
  'closed loop': 'sandbox/words=3',
  paused: 'sandbox/words=3',
  streams: 'sandbox/words=20+pace=50',
}

/** Starts clients, each with one connection that stays open between its calls. */
export function startClients({ url, secret, counts }: Options): Clients {
  const tally: Clients['tally'] = {
    'closed loop': { calls: 0, failures: [] },
    paused: { calls: 0, failures: [] },
    streams: { calls: 0, failures: [] },
  }
  const stopping = new AbortController()

  async function run(manner: Manner): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { [manner]: own } = tally
    while (!stopping.signal.aborted) {
      const failure = await call(manner, agent)
      own.calls++
      if (failure !== undefined) own.failures.push(failure)
      if (manner === 'paused') await pause(Math.random() * longestPauseMs)
    }
    agent.destroy()
  }

  function call(manner: Manner, agent: Agent): Promise<string | undefined> {
    const stream = manner === 'streams'
    const messages = [{ role: 'user', content: 'hi' }]
    const body = JSON.stringify({ model: models[manner], messages, stream })
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'content-length': body.length,
      }
      const sending = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers })
      sending.once('error', (error) => resolve(`no answer: ${error.message}`))
      sending.once('response', (response) => void judge(response, stream).then(resolve))
      sending.end(body)
    })
  }

  const running = Object.entries(counts).flatMap(([manner, count]) =>
    Array.from({ length: count }, () => run(manner as Manner)),
  )
  return {
    tally,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** What is wrong with an answer; `undefined` if it is whole and a success. */
async function judge(response: IncomingMessage, stream: boolean): Promise<string | undefined> {
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string
  } catch (error) {
    return `a broken answer: ${(error as Error).message}`
  }
  if (response.statusCode !== 200) return `${response.statusCode}: ${text.slice(0, 200)}`
  const end = stream ? /data: \[DONE\]\s*$/ : /\}\s*$/
  return end.test(text) ? undefined : `an answer without its end: ${text.slice(-200)}`
}
