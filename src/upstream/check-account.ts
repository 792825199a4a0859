import { Readable } from 'node:stream'

import type { Dispatcher } from 'undici'

import type { Candidate } from '../contract/candidate.ts'
import type { AccountCheck } from '../contract/refusal.ts'
import type { ClientRequest } from '../contract/request.ts'
import type { Watched } from '../lib/ticker.ts'
import type { AttemptEnvironment } from './environment.ts'
import { aboutOf } from './failure.ts'
import { describeCallError } from './call-error.ts'
import { createOutbound } from './outbound.ts'
import { ReplyCollector } from './reply-collector.ts'
import type { UpstreamHandler } from './tracked-client.ts'

/** The longest check, in milliseconds. */
const longestMs = 5_000
/** The most bytes of an error that are read. */
const mostBytes = 64 * 1024

type Checked = Pick<Candidate, 'account' | 'dialect'>

/**
 * Checks an account by the free call of its dialect, with the account's credential and no header of any
 * client. Takes five seconds at most, and never keeps the process alive. Never rejects. `explain` gets the
 * reason, in words for operators, why the account was not accepted: nothing in it is the account's own.
 */
export function checkAccount(
  checked: Checked,
  { client, ticker }: Pick<AttemptEnvironment, 'client' | 'ticker'>,
  explain: (reason: string) => void = () => {},
): Promise<AccountCheck> {
  const { freeCall } = checked.dialect.upstream ?? {}
  if (!freeCall) return Promise.resolve('inconclusive')
  return new Promise((resolve) => {
    const handler = new CheckHandler(checked, (result, reason) => {
      ticker.delete(handler)
      if (reason !== undefined) explain(reason)
      resolve(result)
    })
    ticker.add(handler)
    try {
      const parts = { ...freeCall, method: 'GET', accept: 'application/json', body: null }
      client.send(createOutbound(checked, noRequest, parts), handler)
    } catch {
      handler.finish('inconclusive', 'The request cannot be made.')
    }
  })
}

/** The gateway checks accounts on its own behalf. */
const noRequest: ClientRequest = {
  method: 'GET',
  path: '',
  query: '',
  headers: {},
  remoteAddress: '',
  stream: Readable.from([]),
}

type OnResult = (result: AccountCheck, reason?: string) => void

class CheckHandler implements UpstreamHandler, Watched {
  readonly #checked: Checked
  readonly #onResult: OnResult
  readonly #startedAt = performance.now()
  #controller: Dispatcher.DispatchController | undefined
  #refusal: ReplyCollector | undefined
  #status = 0
  #isOver = false

  constructor(checked: Checked, onResult: OnResult) {
    this.#checked = checked
    this.#onResult = onResult
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Error('The check is over.'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    if (status < 300) this.finish('accepted')
    else {
      this.#status = status
      this.#refusal = new ReplyCollector(status, headers, mostBytes)
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#refusal?.collect(chunk)
    if (this.#refusal?.isOverLimit) this.#refuse()
  }

  onResponseEnd(): void {
    this.#refuse()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish('inconclusive', describeCallError(error))
  }

  tick(now: number): void {
    if (now - this.#startedAt > longestMs)
      this.finish('inconclusive', 'The account does not answer within five seconds.')
  }

  interrupt(): void {
    this.finish('inconclusive', 'The gateway ends.')
  }

  finish(result: AccountCheck, reason?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onResult(result, reason)
    this.#controller?.abort(new Error('The check is over.'))
  }

  #refuse(): void {
    const result = this.#refusal ? verdictOn(this.#refusal, this.#checked) : 'inconclusive'
    this.finish(result, `The account answers with the status ${this.#status}.`)
  }
}

/** Only evidence about the account counts: some keys may make calls and not list models. */
function verdictOn(refusal: ReplyCollector, { dialect }: Checked): AccountCheck {
  try {
    const about = aboutOf(refusal.answer(), dialect)
    return about === 'credential' || about === 'credit' ? 'refused' : 'inconclusive'
  } catch {
    return 'inconclusive'
  }
}
