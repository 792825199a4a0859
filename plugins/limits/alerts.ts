import { createHmac, randomUUID } from 'node:crypto'

import { type Log, describeError } from '../../src/lib/log.ts'
import type { ChargedLimit } from './call-meter.ts'
import { shownAmount } from './errors.ts'

/** Where alerts are sent. */
export interface Webhook {
  readonly url: string
  /** Signs each alert. */
  readonly secret: string
}

/** Alerts that wait. Further ones are in the log alone. */
const mostWaiting = 1_000

/** How long the webhook may take, and the pauses before it is asked again, in milliseconds. */
const deadlineMs = 10_000
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000]

/** Options of `Alerts`. */
interface AlertOptions {
  readonly log: Log
  readonly webhook?: Webhook | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Tells operators when budgets reach shares of their amounts. The one charge that passes a share tells of it. */
export class Alerts {
  /** The number of alerts by this process. */
  count = 0
  readonly #options: AlertOptions
  readonly #ending = new AbortController()
  #waiting = 0

  constructor(options: AlertOptions) {
    this.#options = options
  }

  /** Notes what a settlement has charged. */
  charged(all: readonly ChargedLimit[]): void {
    for (const charged of all) {
      const { source, limit, amount, state } = charged
      for (const share of source.alerts) {
        const mark = Math.ceil(limit.amount * share)
        if (state.spent - amount < mark && state.spent >= mark) this.#alert(charged, share)
      }
    }
  }

  close(): void {
    this.#ending.abort()
  }

  #alert({ source, limit, state }: ChargedLimit, share: number): void {
    this.count++
    const { log, webhook, now } = this.#options
    const { id, subject, kind, window } = source
    const alert = {
      limit: id,
      subject,
      kind,
      window,
      share,
      amount: shownAmount(kind, limit.amount),
      spent: shownAmount(kind, state.spent),
      resetsAt: state.resetsAt === undefined ? null : new Date(state.resetsAt).toISOString(),
    }
    log.warn('a budget has reached a share of its amount', alert)
    if (!webhook) return
    if (this.#waiting >= mostWaiting)
      return log.error('an alert is not sent: too many wait', { id })
    const at = new Date(now()).toISOString()
    const body = JSON.stringify({ id: randomUUID(), type: 'limit.alert', at, ...alert })
    this.#waiting++
    void this.#send(webhook, body).finally(() => this.#waiting--)
  }

  async #send(webhook: Webhook, body: string): Promise<void> {
    for (const pauseMs of [...pausesMs, undefined]) {
      try {
        await post(webhook, body, this.#options.now())
        return
      } catch (error) {
        if (this.#ending.signal.aborted) return
        if (pauseMs === undefined)
          return this.#options.log.error('an alert cannot be sent', describeError(error))
      }
      if (!(await pause(pauseMs, this.#ending.signal))) return
    }
  }
}

/** A signature is of the time and the body, so that nobody can send an old alert again. */
async function post({ url, secret }: Webhook, body: string, now: number): Promise<void> {
  const time = Math.floor(now / 1_000)
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-dragoman-signature': `t=${time},v1=${signature}`,
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(deadlineMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`The webhook answered ${response.status}.`)
}

/** Whether the time has passed without the end of the process. */
function pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasPassed: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve(hasPassed)
    }
    const abort = () => end(false)
    const timer = setTimeout(() => end(true), milliseconds).unref()
    signal.addEventListener('abort', abort)
  })
}
