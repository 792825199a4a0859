import type { Dispatcher } from 'undici'

import type { Account } from '../contract/account.ts'
import { Declined } from '../contract/attempt.ts'
import type { Outbound } from '../contract/outbound.ts'
import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { DialectInfo, OperationInfo } from '../contract/dialect-info.ts'
import { type CredentialFailure, credentialFailureIn } from '../contract/credential.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import { enterRouted } from '../exchange/record.ts'
import { noRequest } from '../kit/no-request.ts'
import { deadline } from '../lib/deadline.ts'
import type { Watched } from '../lib/ticker.ts'
import type { AttemptEnvironment } from './environment.ts'
import { describeCallError } from './call-error.ts'
import { AttemptFailure, brokenAttempt, refusedAttempt, withoutCredential } from './failure.ts'
import { createOutbound } from './outbound.ts'
import { createOwnExchange } from './own-exchange.ts'
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
  /** Absent: at the root of the dialect. */
  readonly origin?: string
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
  /** Why the call has no credential. */
  readonly credential?: CredentialFailure
}

/** What a free call needs of the environment. */
export type FreeCallEnvironment = Pick<AttemptEnvironment, 'client' | 'ticker'> & {
  readonly hooks: Pick<AttemptEnvironment['hooks'], 'attempt'>
}

/** The operation of an exchange of a free call, by which `onAttempt` hooks know it. */
export const freeCallOperation: OperationInfo = {
  id: 'account.free-call',
  method: 'GET',
  auth: 'key',
  body: 'none',
}

/**
 * Makes a free call of the gateway itself, with the account's credential and no header of any client, through the
 * `onAttempt` hooks. It takes five seconds at most, and never keeps the process alive. Never rejects.
 */
export async function callFree(
  asked: Asked,
  call: FreeCall,
  snapshot: Snapshot,
  environment: FreeCallEnvironment,
): Promise<FreeReply> {
  const { path, query, origin } = call
  const parts = { path, query, method: 'GET', accept: 'application/json', body: null }
  try {
    const created = createOutbound(asked, noRequest(), parts)
    const outbound = origin === undefined ? created : { ...created, origin }
    const { attempt } = environment.hooks
    const sent = new SentCalls(asked, call, environment)
    return attempt
      ? await callThroughHooks(sent, snapshot, outbound, attempt)
      : await sent.send(outbound)
  } catch {
    return { failure: 'The request cannot be made.' }
  }
}

/** The requests of one free call: a hook may repeat it. */
class SentCalls {
  readonly asked: Asked
  readonly #call: FreeCall
  readonly #environment: FreeCallEnvironment
  #handler: FreeCallHandler | undefined
  #isOver = false
  /** The last reply that came. */
  last: FreeReply | undefined

  constructor(asked: Asked, call: FreeCall, environment: FreeCallEnvironment) {
    this.asked = asked
    this.#call = call
    this.#environment = environment
  }

  send(outbound: Outbound): Promise<FreeReply> {
    const { client, ticker } = this.#environment
    return new Promise((resolve) => {
      const handler = new FreeCallHandler(this.#call, this.asked.account, (reply) => {
        ticker.delete(handler)
        this.last = reply
        resolve(reply)
      })
      this.#handler = handler
      if (this.#isOver) return handler.finish(late)
      ticker.add(handler)
      try {
        client.send(outbound, handler, this.asked.account)
      } catch {
        handler.finish({ failure: 'The request cannot be made.' })
      }
    })
  }

  end(): void {
    this.#isOver = true
    this.#handler?.finish(late)
  }
}

const late = { failure: 'The account does not answer within five seconds.' }

async function callThroughHooks(
  sent: SentCalls,
  snapshot: Snapshot,
  outbound: Outbound,
  attempt: NonNullable<FreeCallEnvironment['hooks']['attempt']>,
): Promise<FreeReply> {
  const { account, dialect } = sent.asked
  const over = new AbortController()
  const about = {
    keyId: '@gateway',
    dialect: withoutClients(dialect),
    operation: freeCallOperation,
    signal: over.signal,
  }
  const candidate = { account, dialect, native: true, upstreamModel: '' }
  const exchange = enterRouted(createOwnExchange(about, snapshot), candidate, 1)
  exchange.progress.attempt = exchange.attempt
  let failure: AttemptFailure | undefined
  const next = async (changed: Outbound) => {
    failure = undefined
    const found = replyOf(await sent.send(changed), sent.asked)
    if (!(found instanceof AttemptFailure)) return found
    failure = found
    throw found
  }
  const hooked = attempt(exchange, outbound, next).then(
    () => sent.last ?? { failure: 'A plugin answers in place of the account.' },
    (thrown: unknown) =>
      thrown === failure && sent.last ? sent.last : { failure: reasonOf(thrown) },
  )
  try {
    return await endedBy(hooked)
  } finally {
    sent.end()
    over.abort()
    for (const disposable of exchange.progress.disposables) disposable[Symbol.dispose]()
  }
}

/** The dialect of an exchange that has no client, and so no error for one. */
function withoutClients({ id }: Asked['dialect']): DialectInfo {
  return {
    id,
    credential: () => undefined,
    error() {
      throw new Error('A free call has no client.')
    },
  }
}

/** The reply for hooks, or the failure that an attempt has in its place. */
function replyOf(free: FreeReply, asked: Asked): Reply | AttemptFailure {
  const { status = 0, reply, failure, credential } = free
  if (credential) return withoutCredential(credential)
  if (!reply) return brokenAttempt(new GatewayError('upstream_unreachable', failure ?? ''))
  if (status >= 300) return refusedAttempt(reply.answer(), asked)
  return { status, headers: reply.answer(0).headers, body: reply.body() }
}

/** Why a plugin prevents a call, in words for operators. */
function reasonOf(thrown: unknown): string {
  return thrown instanceof Declined
    ? `A plugin declines it: ${thrown.message}.`
    : 'A plugin prevents it.'
}

/** What the hooks make of a call, in five seconds at most. */
function endedBy(hooked: Promise<FreeReply>): Promise<FreeReply> {
  return new Promise((resolve) => {
    const cancel = deadline(longestMs, () => resolve(late), { unref: true })
    void hooked.then(resolve).finally(cancel)
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

  readonly #onRefused: (status: number) => void

  constructor(call: FreeCall, account: Account, onEnd: (reply: FreeReply) => void) {
    this.#call = call
    this.#onRefused = (refusal) => account.authorizer?.refused?.(refusal)
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
    if (status === 401 || status === 403) this.#onRefused(status)
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
    const credential = credentialFailureIn(error)
    if (credential) this.finish({ failure: credential.message, credential })
    else this.finish({ failure: describeCallError(error) })
  }

  tick(now: number): void {
    if (now - this.#startedAt > longestMs) this.finish(late)
  }

  interrupt(): void {
    this.finish({ failure: 'The gateway ends.' })
  }

  finish(end: Pick<FreeReply, 'reply' | 'failure' | 'credential'>): void {
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
