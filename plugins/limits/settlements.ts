import { type Log, describeError } from '../../src/lib/log.ts'
import { type Spill, openSpill } from '../../src/lib/spill.ts'
import type { Meter, MeterEnd, MeterState } from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'

/** The pause before the store is asked again, in milliseconds. */
const pauseMs = 1_000

/** Options of `Settlements`. */
interface SettlementOptions {
  readonly meter: Pick<Meter, 'settle'>
  /** The directory of the files. */
  readonly directory: string
  /** Names the store among others. */
  readonly storeUrl: string
  readonly log: Log
  /** Called with what the store has taken, and the states of its charges. */
  readonly onSettled: (end: MeterEnd, states: readonly MeterState[]) => void
}

/**
 * Settlements that the store has not taken. They wait in a file, so that a restart does not lose them, and are
 * repeated until the store takes them: the meter charges each of them once.
 */
export class Settlements {
  /** The number of settlements that found no room: their holds expire, and their floors are charged. */
  lost = 0
  readonly #options: SettlementOptions
  readonly #spill: Spill
  /** On their way to the file, and in it. */
  #coming = 0
  #kept = 0
  #line: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: SettlementOptions) {
    this.#options = options
    const { directory, storeUrl: store } = options
    this.#spill = openSpill({ directory, store, of: 'settlements' })
  }

  /** The number of settlements that wait. */
  get waiting(): number {
    return this.#coming + this.#kept
  }

  /** Keeps a settlement until the store takes it. */
  add(end: MeterEnd): void {
    this.#coming++
    this.#enqueue(async () => {
      const isKept = await this.#spill.add(JSON.stringify(end))
      this.#coming--
      if (isKept) this.#kept++
      else if (this.lost++ === 0)
        this.#options.log.error('settlements of limits are lost: the file for them takes no more')
    })
    this.#schedule()
  }

  /** Settles what former processes have left. */
  async adopt(): Promise<void> {
    await this.#spill.adopt()
    if (this.#spill.hasLines) this.#schedule()
  }

  /** Asks the store once more. What it does not take stays in the file. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.waiting > 0) this.#enqueue(() => this.#settleAll())
    await this.#line
    this.#spill.leave()
  }

  #enqueue(work: () => Promise<void>): void {
    this.#line = this.#line.then(work).catch((error: unknown) => {
      this.#options.log.error('settlements of limits cannot be read', describeError(error))
    })
  }

  #schedule(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#enqueue(async () => {
        this.#timer = undefined
        try {
          await this.#settleAll()
        } finally {
          if (this.#spill.hasLines) this.#schedule()
        }
      })
    }, pauseMs).unref()
  }

  /** A file is removed only when the store has taken all of it: settling again changes nothing. */
  async #settleAll(): Promise<void> {
    try {
      await this.#spill.drain((line) => this.#settle(line))
      this.#kept = 0
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  async #settle(line: string): Promise<void> {
    const end = parse(line)
    if (!end) return
    try {
      const states = await this.#options.meter.settle(end)
      this.#options.onSettled(end, states)
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      this.#options.log.error('a settlement of limits is refused', describeError(error))
    }
  }
}

/** The last line of a process that was killed may be a part of one. */
function parse(line: string): MeterEnd | undefined {
  try {
    return JSON.parse(line) as MeterEnd
  } catch {
    return undefined
  }
}
