import type { Dispatcher } from 'undici'

import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { AccountCheck } from '../contract/refusal.ts'
import { noRequest } from '../kit/no-request.ts'
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

/** What a check learns beside its result. */
export interface CheckFacts {
  /**
   * Why the account was not accepted, in words for operators: nothing in it is the account's own. Absent:
   * it was.
   */
  readonly reason?: string
  /** Whether the account has answered at all. */
  readonly hasAnswered: boolean
  /** The account's clock, in milliseconds since 1970, to the second. Absent: its answer has no valid date. */
  readonly time?: number
}

/**
 * Checks an account by the free call of its dialect, with the account's credential and no header of any
 * client. One that the snapshot does not have is gone. Takes five seconds at most, and never keeps the process
 * alive. Never rejects. `note` gets what the check learns, before it ends.
 */
export function checkAccount(
  checked: Checked,
  { accounts }: Pick<Snapshot, 'accounts'>,
  { client, ticker }: Pick<AttemptEnvironment, 'client' | 'ticker'>,
  note: (facts: CheckFacts) => void = () => {},
): Promise<AccountCheck> {
  if (!accounts.includes(checked.account)) return Promise.resolve('gone')
  const { freeCall } = checked.dialect.upstream ?? {}
  if (!freeCall) return Promise.resolve('inconclusive')
  return new Promise((resolve) => {
    const handler = new CheckHandler(checked, (result, facts) => {
      ticker.delete(handler)
      note(facts)
      resolve(result)
    })
    ticker.add(handler)
    try {
      const parts = { ...freeCall, method: 'GET', accept: 'application/json', body: null }
      const outbound = createOutbound(checked, noRequest(), parts)
      client.send(outbound, handler, checked.account.connection)
    } catch {
      handler.finish('inconclusive', 'The request cannot be made.')
    }
  })
}

type OnResult = (result: AccountCheck, facts: CheckFacts) => void

class CheckHandler implements UpstreamHandler, Watched {
  readonly #checked: Checked
  readonly #onResult: OnResult
  readonly #startedAt = performance.now()
  #controller: Dispatcher.DispatchController | undefined
  #refusal: ReplyCollector | undefined
  #status = 0
  #time: number | undefined
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
    this.#status = status
    this.#time = timeOf(headers['date'])
    if (status < 300) this.finish('accepted')
    else {
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
    const time = this.#time
    this.#onResult(result, {
      hasAnswered: this.#status > 0,
      ...(reason !== undefined && { reason }),
      ...(time !== undefined && { time }),
    })
    this.#controller?.abort(new Error('The check is over.'))
  }

  #refuse(): void {
    const result = this.#refusal ? verdictOn(this.#refusal, this.#checked) : 'inconclusive'
    this.finish(result, `The account answers with the status ${this.#status}.`)
  }
}

function timeOf(date: string | string[] | undefined): number | undefined {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? undefined : time
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
