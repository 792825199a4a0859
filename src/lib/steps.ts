import { Turns } from './turns.ts'

/** Work in steps: between two of them, others may be served. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** A result, or work in steps for it. */
export type MaybeSteps<Result> = Result | Steps<Result>

/** The result of work that may be in steps. Texts can be iterated too. */
export function* resultOf<Result>(work: MaybeSteps<Result>): Steps<Result> {
  return isSteps(work) ? yield* work : work
}

/** Whether work is in steps. */
export function isSteps<Result>(work: MaybeSteps<Result>): work is Steps<Result> {
  return typeof work === 'object' && work !== null && Symbol.iterator in work && 'next' in work
}

/** Small pieces of work in one step, and the characters of a text that count as one. */
const stride = 256

let pieces = 0

/**
 * Whether a step ends before the next small piece of work, such as one value of many, or a text of this length. The
 * end of a step passes all generators around it, so that a step for each piece would cost the depth of the values.
 */
export function isStepDue(characters = 0): boolean {
  pieces += 1 + characters / stride
  if (pieces < stride) return false
  pieces = 0
  return true
}

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
