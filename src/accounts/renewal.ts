import { type Work, nextTurn, run, runInTurns } from '../lib/turns.ts'

/** Compiles the accounts again after changes. */
interface Renewal {
  /**
   * Compiles in turns of the event loop, and resolves when the result is in use. Changes that come meanwhile
   * are part of it.
   */
  renew(): Promise<void>
  renewNow(): void
  /** A renewal under way begins from the start: it has seen an older state. */
  startAgain(): void
}

/** Creates a renewal. `compile` begins from the latest state, which `use` replaces. */
export function createRenewal<Compiled>(
  compile: () => Work<Compiled>,
  use: (compiled: Compiled) => void,
): Renewal {
  let running: Promise<void> | undefined
  let isOutdated = false

  /** Ends in the same turn in which it uses the result, so that no change falls between. */
  function* compileLatest(): Work<void> {
    try {
      for (let work = begin(); ;) {
        const step = work.next()
        if (step.done) return use(step.value)
        yield
        if (isOutdated) work = begin()
      }
    } finally {
      running = undefined
    }
  }

  function begin(): Work<Compiled> {
    isOutdated = false
    return compile()
  }

  return {
    renew() {
      isOutdated = true
      // The cause of the renewal has worked in this turn, too.
      running ??= nextTurn().then(() => runInTurns(compileLatest()))
      return running
    },
    renewNow() {
      use(run(compile()))
      isOutdated = true
    },
    startAgain() {
      isOutdated = true
    },
  }
}
