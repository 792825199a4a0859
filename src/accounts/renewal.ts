import { type Steps, finish } from '../lib/steps.ts'
import { Turns } from '../lib/turns.ts'

/** Compiles the accounts again after changes. */
interface Renewal {
  /**
   * Compiles in turns of the event loop, and resolves when the result is in use. Changes that come meanwhile
   * are part of it.
   */
  inTurns(): Promise<void>
  atOnce(): void
  /** What compiles in turns begins from the start: it has seen an older state. */
  startAgain(): void
}

/** Creates a renewal. `compile` begins from the latest state, which `use` replaces. */
export function createRenewal<Compiled>(
  compile: () => Steps<Compiled>,
  use: (compiled: Compiled) => void,
): Renewal {
  let running: Promise<void> | undefined
  let isOutdated = false

  async function run(): Promise<void> {
    try {
      const turns = new Turns()
      // What led here has worked in this turn, too.
      await turns.next()
      for (let steps = begin(); ;) {
        const step = steps.next()
        if (step.done) return use(step.value)
        if (turns.isOver) await turns.next()
        if (isOutdated) steps = begin()
      }
    } finally {
      running = undefined
    }
  }

  function begin(): Steps<Compiled> {
    isOutdated = false
    return compile()
  }

  return {
    inTurns() {
      isOutdated = true
      running ??= run()
      return running
    },
    atOnce() {
      use(finish(compile()))
      isOutdated = true
    },
    startAgain() {
      isOutdated = true
    },
  }
}
