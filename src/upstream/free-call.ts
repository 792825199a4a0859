import type { Dispatcher } from 'undici'

import type { Candidate } from '../contract/candidate.ts'
import { noRequest } from '../kit/no-request.ts'
import type { Watched } from '../lib/ticker.ts'
import type { AttemptEnvironment } from './environment.ts'
import { describeCallError } from './call-error.ts'
import { createOutbound } from './outbound.ts'
import { ReplyCollector } from './reply-collector.ts'
import type { UpstreamHandler } from './tracked-client.ts'

/** The longest free call, in milliseconds. */
const longestMs = 5_000

/** An account, and the dialect in which it is asked. */
export type Asked = Pick<Candidate, 'account' | 'dialect'>

/** A `GET` that costs nothing. */
interface FreeCall {
  readonly path: string
  readonly query?: string | undefined
  /** The most bytes that are read of a reply with this status. With 0 the call ends at its headers. */
  mostBytes(status: number): number
}

/** How a free call has ended. */
interface FreeReply {
  /** Absent: the account has not answered at all. */
  readonly status?: number
  /** The account's clock, in milliseconds since 1970, to the second. Absent: its answer has no valid date. */
  readonly time?: number
  /** The reply as far as it was read: complete, or beyond the most bytes. Absent if it broke off. */
  readonly reply?: ReplyCollector
  /** Why there is no reply, in words for operators: nothing in it is the account's own. */
  readonly failure?: string
}

/**
 * Makes a free call of the gateway itself, with the account's credential and no header of any client. It takes five
 * seconds at most, and never keeps the process alive. Never rejects.
 */
export function callFree(
  asked: Asked,
  call: FreeCall,
  { client, ticker }: Pick<AttemptEnvironment, 'client' | 'ticker'>,
): Promise<FreeReply> {
  return new Promise((resolve) => {
    const handler = new FreeCallHandler(call, (reply) => {
      ticker.delete(handler)
      resolve(reply)
    })
    ticker.add(handler)
    try {
      const { path, query } = call
      const parts = { path, query, method: 'GET', accept: 'application/json', body: null }
      client.send(createOutbound(asked, noRequest(), parts), handler, asked.account.connection)
    } catch {
      handler.finish({ failure: 'The request cannot be made.' })
    }
  })
}

class FreeCallHandler implements UpstreamHandler, Watched {
  readonly #call: FreeCall
  readonly #onEnd: (reply: FreeReply) => void
  readonly #startedAt = performance.now()
  #controller: Dispatcher.DispatchController | undefined
  #reply: ReplyCollector | undefined
  #head: Pick<FreeReply, 'status' | 'time'> = {}
  #isOver = false

  constructor(call: FreeCall, onEnd: (reply: FreeReply) => void) {
    this.#call = call
    this.#onEnd = onEnd
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('The call is over.'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    const time = timeOf(headers['date'])
    this.#head = { status, ...(time !== undefined && { time }) }
    const mostBytes = this.#call.mostBytes(status)
    this.#reply = new ReplyCollector(status, headers, mostBytes)
    if (mostBytes === 0) this.finish({ reply: this.#reply })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#reply?.collect(chunk)
    if (this.#reply?.isOverLimit) this.finish({ reply: this.#reply })
  }

  onResponseEnd(): void {
    this.finish(this.#reply ? { reply: this.#reply } : { failure: 'The answer has no status.' })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish({ failure: describeCallError(error) })
  }

  tick(now: number): void {
    if (now - this.#startedAt > longestMs)
      this.finish({ failure: 'The account does not answer within five seconds.' })
  }

  interrupt(): void {
    this.finish({ failure: 'The gateway ends.' })
  }

  finish(end: Pick<FreeReply, 'reply' | 'failure'>): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd({ ...this.#head, ...end })
    this.#controller?.abort(new Error('The call is over.'))
  }
}

function timeOf(date: string | string[] | undefined): number | undefined {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
