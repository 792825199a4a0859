/** Streams through a gateway, from an account that drips frames. */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What the clients do. */
export interface StreamsOrder {
  /** The address of the gateway. */
  readonly url: string
  readonly key: string
  readonly streams: number
  /** Models that are asked for once before, of accounts that refuse. */
  readonly pausedModels: readonly string[]
}

/** What the clients saw since the last report. */
export interface StreamsReport {
  readonly open: number
  readonly frames: number
  /** Between two frames of one stream, by the clock. The account sends one in 200 milliseconds. */
  readonly longestGapMs: number
}

/** The account and its clients, on a thread of their own. */
export interface Streams extends AsyncDisposable {
  /** The address of the account. */
  readonly upstream: string
  /** Resolves when all streams have frames. */
  start(order: StreamsOrder): Promise<void>
  report(): Promise<StreamsReport>
}

/** Starts the account. */
export async function startStreams(): Promise<Streams> {
  const thread = new Worker(new URL('streams-thread.ts', import.meta.url))
  const next = async <Message>() => ((await once(thread, 'message')) as [Message])[0]
  const upstream = await next<string>()
  return {
    upstream,
    async start(order) {
      thread.postMessage(order)
      await next()
    },
    report() {
      thread.postMessage('report')
      return next<StreamsReport>()
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}
