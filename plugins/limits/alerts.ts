import { createHash, createHmac, randomUUID } from 'node:crypto'

import { type Log, describeError } from '../../src/lib/log.ts'
import { createRate } from '../../src/lib/rate.ts'
import type { Records } from '../../src/stores/store.ts'
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

/** Further alerts of a limit of end users in a minute are counted alone: clients can make up any number of users. */
const mostOfUsers = 10

/** So long an alert of another process is not repeated, as after a settlement whose answer was lost. In milliseconds. */
const repeatedMs = 600_000

/** How long the webhook may take, and the pauses before it is asked again, in milliseconds. */
const deadlineMs = 10_000
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000]

/** How long the end of the process waits for alerts, in milliseconds. */
const endsMs = 3_000

/** Options of `Alerts`. */
interface AlertOptions {
  /** The alerts of all processes. */
  readonly sent: Pick<Records<true>, 'add'>
  readonly log: Log
  readonly webhook?: Webhook | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Alerts operators when budgets reach shares of their amounts: the one charge that passes a share does. */
export class Alerts {
  /** The number of alerts by this process. */
  count = 0
  readonly #options: AlertOptions
  readonly #ofUsers = createRate({
    amount: mostOfUsers,
    windowMs: 60_000,
    uptime: () => performance.now(),
  })
  readonly #ending = new AbortController()
  readonly #waiting = new Set<Promise<void>>()

  constructor(options: AlertOptions) {
    this.#options = options
  }

  /** Notes what a settlement has charged. */
  charged(all: readonly ChargedLimit[]): void {
    for (const charged of all) {
      const { source, limit, amount, state } = charged
      for (const share of source.alerts) {
        const mark = Math.ceil(limit.amount * share)
        if (state.spent - amount < mark && state.spent >= mark) this.#reached(charged, share)
      }
    }
  }

  /** Sends the alerts that wait a last time. */
  async close(): Promise<void> {
    this.#ending.abort()
    const end = new AbortController()
    const late = pause(endsMs, end.signal)
    await Promise.race([Promise.all(this.#waiting), late])
    end.abort()
  }

  #reached(charged: ChargedLimit, share: number): void {
    this.count++
    const { source, subject, limit } = charged
    if (source.per && this.#ofUsers.take(source.id) > 0) return
    const name = JSON.stringify([subject, limit.id, limit.counts, limit.amount, share])
    const id = createHash('sha256').update(name).digest('base64url')
    const isFirst = this.#options.sent.add(id, true, { ttlMs: repeatedMs }).catch(() => true)
    const alerted = isFirst.then((first) => (first ? this.#alert(charged, share) : undefined))
    this.#waiting.add(alerted)
    void alerted.finally(() => this.#waiting.delete(alerted))
  }

  #alert({ source, limit, state }: ChargedLimit, share: number): Promise<void> | undefined {
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
    if (!webhook) return undefined
    if (this.#waiting.size > mostWaiting) {
      log.error('an alert is not sent: too many wait', { id })
      return undefined
    }
    const at = new Date(now()).toISOString()
    const body = JSON.stringify({ id: randomUUID(), type: 'limit.alert', at, ...alert })
    return this.#send(webhook, body)
  }

  async #send(webhook: Webhook, body: string): Promise<void> {
    const { signal } = this.#ending
    for (const pauseMs of [...pausesMs, undefined]) {
      const isLast = signal.aborted
      try {
        await post(webhook, body, this.#options.now())
        return
      } catch (error) {
        if (isLast || pauseMs === undefined)
          return this.#options.log.error('an alert cannot be sent', describeError(error))
      }
      await pause(pauseMs, signal)
    }
  }
}

/** The time is signed with the body, so that a receiver can refuse an old alert that is sent again. */
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

/** Waits for a time, or until a signal. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    signal.addEventListener('abort', end)
  })
}
