import type { GatewayError } from '../../src/contract/errors.ts'
import type { Limit } from '../../src/contract/quota.ts'
import { type MaybePromise, isThenable } from '../../src/lib/maybe-promise.ts'
import { type CallHolds, holdOf } from './call-holds.ts'
import type { Answer, CallMeter } from './call-meter.ts'
import { refusal, unavailable } from './errors.ts'
import type { Wanted } from './takes.ts'

/** Called with a limit that only warns, which would have refused the call. */
type OnExceeded = (limit: Limit, subject: string) => void

/** Absent: the store is away, and the spent amount is unknown. */
type Answers = readonly (Answer | undefined)[]

/**
 * Takes what a call wants of all subjects. Rejects with `GatewayError` if one refuses; the end of the exchange, which
 * follows, gives back what the others gave. No promise: leases of this process have admitted the call.
 */
export function admitAll(
  holds: CallHolds,
  wanted: readonly Wanted[],
  meter: CallMeter,
  onExceeded: OnExceeded,
): MaybePromise<void> {
  const ask = ({ subject, takes }: Wanted) => meter.admit(holdOf(holds, subject), takes)
  const note = (answers: Answers) => noteAll(holds, wanted, answers, onExceeded)
  if (wanted.some(({ subject }) => meter.hasRefused(subject)))
    return askInTurn(wanted, ask).then(note)
  const answers = wanted.map(ask)
  if (!answers.some(isThenable)) return note(answers as Answers)
  return Promise.all(answers.map((one) => Promise.resolve(one))).then(note)
}

/**
 * Asks one subject after another, up to the first that refuses: a flood of calls that their key refuses must not hold the
 * remaining amounts of its team and of the gateway.
 */
async function askInTurn(
  wanted: readonly Wanted[],
  ask: (one: Wanted) => ReturnType<CallMeter['admit']>,
): Promise<Answers> {
  const answers = []
  for (const one of wanted) {
    const answer = await ask(one)
    answers.push(answer)
    if (!answer?.admitted) break
  }
  return answers
}

function noteAll(
  holds: CallHolds,
  wanted: readonly Wanted[],
  answers: Answers,
  onExceeded: OnExceeded,
): void {
  let refused: GatewayError | undefined
  for (let index = 0; index < answers.length; index++) {
    const answer = answers[index]
    const { subject, takes } = wanted[index]!
    if (!answer?.admitted) {
      refused ??= errorOf(answer, takes)
      continue
    }
    holds.isStale ||= answer.isStale
    for (let at = 0; at < takes.length; at++) {
      const state = answer.states[at]
      const { limit, meter: asked } = takes[at]!
      if (state) holds.admitted.push({ limit, amount: asked.amount, state })
    }
    for (const at of answer.exceeded) onExceeded(takes[at]!.limit, subject)
  }
  // Only now: a fallback of the call must not take once more what other subjects gave.
  if (refused) throw refused
}

function errorOf(
  answer: Exclude<Answer, { readonly admitted: true }> | undefined,
  takes: Wanted['takes'],
): GatewayError {
  if (!answer) return unavailable()
  const { refusedBy, why, retryAfterMs, states } = answer
  const { limit, meter } = takes[refusedBy]!
  return refusal({ limit, amount: meter.amount, why, retryAfterMs, state: states[refusedBy] })
}
