import type { Account } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** The part of an older average that remains after this time, in milliseconds, is a half. */
const halfLifeMs = 30_000

/** The least part of a new value in the average. */
const leastShare = 0.1

/** An average counts for half as much after this time without a call, in milliseconds, so that the account gets one again. */
const fadeMs = 60_000

/** Calls without a known time, of which one at most is made in this time, in milliseconds. */
const tryMs = 10_000

/** A failed attempt counts as an answer that came so much later, in milliseconds. */
const failedMs = 10_000

/** The latency of an account of which one call finds out more. */
const unknownMs = 0

/** The average of an account's model, of streams or of whole replies. */
interface Average {
  /** Milliseconds. Absent: no call has been answered. */
  ms: number | undefined
  /** When the last value came. */
  notedAt: number
  /** When the account was last chosen, or answered. */
  usedAt: number
  /** When the first call since the last answer began. Absent: all are answered. */
  waitingSince: number | undefined
}

/** The time of a call, which is running. */
export interface Timing {
  /** The first output of a stream is there, or the whole reply. Later calls have no effect. */
  answered(): void
  /** The account has failed. */
  failed(): void
}

/**
 * How long accounts have recently taken until the first output of a stream, or for a whole reply, in this process. A model
 * without a value comes first, so that a call finds it out, but for one call at a time. The value of an account that gets no
 * calls fades until it gets one again.
 */
export class Latencies {
  readonly #now: () => number
  readonly #averages = computedOnce<Account, Map<string, Average>>(() => new Map())

  /** `now`: milliseconds, on a clock that never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Milliseconds, of which 0 stands for an account that gets a try, and `Infinity` for one whose try is running. */
  of({ account, upstreamModel }: Candidate, isStream: boolean): number {
    const average = this.#averages(account).get(nameOf(upstreamModel, isStream))
    if (!average) return unknownMs
    const idleMs = this.#now() - average.usedAt
    if (average.ms === undefined) return idleMs < tryMs ? Infinity : unknownMs
    // A hung account answers no call, which no average shows.
    const { usedAt, waitingSince = usedAt } = average
    return Math.max(average.ms, usedAt - waitingSince) * 2 ** (-idleMs / fadeMs)
  }

  /** Begins to measure a call that is about to be sent. */
  begin(candidate: Candidate, isStream: boolean): Timing {
    const average = this.#averageOf(candidate, isStream)
    const begunAt = this.#now()
    average.usedAt = begunAt
    average.waitingSince ??= begunAt
    let isNoted = false
    const note = (addedMs: number) => {
      if (isNoted) return
      isNoted = true
      this.#add(average, this.#now() - begunAt + addedMs)
    }
    return { answered: () => note(0), failed: () => note(failedMs) }
  }

  #add(average: Average, ms: number): void {
    const now = this.#now()
    const kept = 2 ** (-(now - average.notedAt) / halfLifeMs)
    const share = Math.max(leastShare, 1 - kept)
    average.ms = average.ms === undefined ? ms : average.ms + share * (ms - average.ms)
    average.notedAt = average.usedAt = now
    average.waitingSince = undefined
  }

  #averageOf({ account, upstreamModel }: Candidate, isStream: boolean): Average {
    const ofAccount = this.#averages(account)
    const name = nameOf(upstreamModel, isStream)
    let average = ofAccount.get(name)
    if (!average) ofAccount.set(name, (average = newAverage()))
    return average
  }
}

function newAverage(): Average {
  return { ms: undefined, notedAt: 0, usedAt: 0, waitingSince: undefined }
}

/** Only models with a strategy are named, which the configuration limits. */
function nameOf(upstreamModel: string, isStream: boolean): string {
  return isStream ? `${upstreamModel} stream` : upstreamModel
}
