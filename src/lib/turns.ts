import { FairQueue } from './fair-queue.ts'

/** Those that wait for a turn. */
const waiting = new FairQueue<() => void>()

/**
 * Resolves in a later turn of the event loop, when others have been served. Each turn serves one caller:
 * many that work for a long time would otherwise make one long turn together. Owners take turns, so that the work of
 * one API key, however many calls it has, does not slow down that of another as many times.
 */
export function nextTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    // An immediate of an event of a socket runs before other sockets are looked at; its own one runs behind them.
    if (waiting.isEmpty) setImmediate(() => setImmediate(serveNext))
    waiting.add(owner, resolve)
  })
}

function serveNext(): void {
  const resolve = waiting.take()
  if (!waiting.isEmpty) setImmediate(serveNext)
  patientBegan = undefined
  resolve?.()
}

/** The longest work in one turn of the event loop, in milliseconds. */
const longestMs = 5

/** When the patient work of this turn began, however many have a part in it. Absent: there was none. */
let patientBegan: number | undefined

function beginPatient(): number {
  if (patientBegan !== undefined) return patientBegan
  const began = performance.now()
  patientBegan = began
  setImmediate(() => {
    // Another turn may have begun meanwhile.
    if (patientBegan === began) patientBegan = undefined
  })
  return began
}

/** For whom work is done. */
export interface WorkOf {
  /** The id of the API key whose call it is. Absent: the gateway's own work. */
  readonly owner?: string | undefined
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether all works that say so share the time of a turn, so that one after another makes no long turn. It is for
   * those of operators: short works of many callers would wait for each other. Default: false.
   */
  readonly isPatient?: boolean
}

/** The work of operators. */
export const patient: WorkOf = { isPatient: true }

/** Divides long work into turns of the event loop, so that other requests are served meanwhile. */
export class Turns {
  readonly #owner: string | undefined
  readonly #signal: AbortSignal | undefined
  readonly #isPatient: boolean
  #began: number

  constructor({ owner, signal, isPatient = false }: WorkOf = {}) {
    this.#owner = owner
    this.#signal = signal
    this.#isPatient = isPatient
    this.#began = this.#begin()
  }

  /** Whether this turn has lasted long enough. */
  get isOver(): boolean {
    const now = performance.now()
    return now > (this.#isPatient ? beginPatient() : this.#began) + longestMs
  }

  /** Resolves in a later turn. Rejects with the reason of an aborted signal. */
  async next(): Promise<void> {
    await nextTurn(this.#owner)
    this.#signal?.throwIfAborted()
    this.#began = this.#begin()
  }

  #begin(): number {
    return this.#isPatient ? beginPatient() : performance.now()
  }
}

/** Does short pieces of work one after another, in turns of the event loop, however many are asked for at once. */
export class WorkLine {
  readonly #turns = new Turns(patient)
  #last: Promise<unknown> = Promise.resolve()

  do<Result>(work: () => Result): Promise<Result> {
    const done = this.#last.then(async () => {
      if (this.#turns.isOver) await this.#turns.next()
      return work()
    })
    this.#last = done.catch(() => {})
    return done
  }
}
