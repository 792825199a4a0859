import type { Principal } from '../principal.ts'
import { type ExchangeFilter, passes } from '../processes/exchange-filter.ts'
import {
  type LiveEvent,
  type LiveTopic,
  type Missed,
  type ProcessEvent,
  topicOf,
} from './events.ts'

/** The events that wait for a slow subscriber. */
const queueSize = 256

/** Whose subscription it is, and about what. */
interface SubscriberOptions {
  readonly topics: readonly LiveTopic[]
  readonly filter: ExchangeFilter
  readonly principal: Principal
  readonly onClose: (subscriber: Subscriber) => void
}

/** A subscription: an iterator with a bounded queue, whose oldest events are dropped. */
export class Subscriber implements AsyncIterableIterator<LiveEvent> {
  readonly topics: ReadonlySet<LiveTopic>
  readonly principal: Principal
  readonly #filter: ExchangeFilter
  readonly #onClose: SubscriberOptions['onClose']
  readonly #queue: LiveEvent[] = []
  #dropped = 0
  #isClosed = false
  #waiting: ((result: IteratorResult<LiveEvent>) => void) | undefined

  constructor({ topics, filter, principal, onClose }: SubscriberOptions) {
    this.topics = new Set(topics)
    this.principal = principal
    this.#filter = filter
    this.#onClose = onClose
  }

  /** Gives it an event, if it wants that. */
  offer(event: ProcessEvent): void {
    if (this.topics.has(topicOf(event)) && isWanted(event, this.#filter)) this.#push(event)
  }

  /** Puts into the stream that events are lost. */
  miss(reason: Missed['reason'], count?: number): void {
    const last = this.#queue.at(-1)
    if (last?.type === 'Missed' && last.reason === reason) {
      const sum = last.count === undefined || count === undefined ? undefined : last.count + count
      this.#queue[this.#queue.length - 1] = { type: 'Missed', reason, count: sum }
    } else this.#push({ type: 'Missed', reason, count })
  }

  /** Ends it, after the events that wait. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#waiting?.({ done: true, value: undefined })
    this.#waiting = undefined
    this.#onClose(this)
  }

  next(): Promise<IteratorResult<LiveEvent>> {
    const value = this.#take()
    if (value) return Promise.resolve({ done: false, value })
    if (this.#isClosed) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  return(): Promise<IteratorResult<LiveEvent>> {
    this.#queue.length = 0
    this.#dropped = 0
    this.close()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #take(): LiveEvent | undefined {
    if (this.#dropped === 0) return this.#queue.shift()
    const count = this.#dropped
    this.#dropped = 0
    return { type: 'Missed', reason: 'QUEUE', count }
  }

  #push(event: LiveEvent): void {
    if (this.#isClosed) return
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting) return waiting({ done: false, value: event })
    this.#queue.push(event)
    if (this.#queue.length <= queueSize) return
    const oldest = this.#queue.shift()
    this.#dropped += oldest?.type === 'Missed' ? (oldest.count ?? 1) : 1
  }
}

/** A filter concerns what has a key, an account, a model or a dialect; the rest passes. */
function isWanted(event: ProcessEvent, filter: ExchangeFilter): boolean {
  switch (event.type) {
    case 'ExchangeBegan':
    case 'ExchangeChanged':
    case 'ExchangeEnded':
      return passes(event.exchange, filter)
    case 'JobChanged':
    case 'AccountChanged':
    case 'CircuitChanged': {
      const { accountId } = event
      const { keyId } = event.type === 'JobChanged' ? event : filter
      const { dialect } = event.type === 'CircuitChanged' ? event : filter
      return passes({ ...filter, accountId, keyId, dialect }, filter)
    }
    default:
      return true
  }
}
