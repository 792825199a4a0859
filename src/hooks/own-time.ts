import { Readable } from 'node:stream'

import type { Reply } from '../contract/outcome.ts'
import { isThenable } from '../lib/maybe-promise.ts'

/** The input of a hook; those around the work on an exchange have `next`. */
interface HookInput {
  readonly next?: (...given: unknown[]) => Promise<Reply>
}

/**
 * Bounds the time that a hook takes for itself: while it waits for its `next`, which has deadlines of its own, the
 * time stands still. A hook that takes longer fails, its later result is ignored, and its later `next` rejects.
 */
export function withinOwnTime(
  milliseconds: number,
  input: HookInput,
  call: (input: HookInput) => unknown,
): unknown {
  const time = new OwnTime(milliseconds)
  const { next } = input
  let result: unknown
  try {
    result = call(next ? { ...input, next: (...given) => time.pausedBy(next, given) } : input)
    if (isThenable(result)) return time.bound(Promise.resolve(result))
  } catch (error) {
    time.end()
    throw error
  }
  time.end()
  return result
}

class OwnTime {
  readonly #milliseconds: number
  readonly #late = Promise.withResolvers<never>()
  #timer: NodeJS.Timeout | undefined
  /** How many `next` the hook waits for: `onAttempt` may send requests side by side. */
  #pending = 0
  #hasEnded = false
  #isLate = false

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  pausedBy(next: NonNullable<HookInput['next']>, given: unknown[]): Promise<Reply> {
    if (this.#isLate) return Promise.reject(this.#error())
    const done = next(...given)
    this.#pending++
    clearTimeout(this.#timer)
    const goOn = () => {
      this.#pending--
      this.#run()
    }
    done.then(goOn, goOn)
    return done
  }

  async bound(result: Promise<unknown>): Promise<unknown> {
    this.#run()
    try {
      return await Promise.race([result, this.#late.promise])
    } finally {
      this.end()
      if (this.#isLate) void result.then(discard, () => {})
    }
  }

  /** The hook is over, though work that it called may go on. */
  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
  }

  #run(): void {
    if (this.#hasEnded || this.#isLate || this.#pending > 0) return
    this.#timer = setTimeout(() => {
      this.#isLate = true
      this.#late.reject(this.#error())
    }, this.#milliseconds)
  }

  #error(): Error {
    return new Error(`It did not finish within ${this.#milliseconds} ms.`)
  }
}

/** Closes the connection behind a reply that comes too late. */
function discard(reply: unknown): void {
  const { body } = Object(reply) as Partial<Reply>
  if (body instanceof Readable) body.destroy()
}
