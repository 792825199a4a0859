import { Turns } from './turns.ts'

/** Work in steps: between two of them, others may be served. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Does all steps, in turns of the event loop. Rejects as a step throws. */
export async function finishInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  const turns = new Turns()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (turns.isOver) await turns.next()
  }
}
