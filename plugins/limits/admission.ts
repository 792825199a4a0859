import type { GatewayError } from '../../src/contract/errors.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { CallHolds } from './call-holds.ts'
import type { CallMeter, Hold } from './call-meter.ts'
import { refusal, unavailable } from './errors.ts'
import type { Wanted } from './takes.ts'

/** Called with a limit that only warns, which would have refused the call. */
type OnExceeded = (limit: Limit, subject: string) => void

/**
 * Takes what a call wants of all subjects. Rejects with `GatewayError` if one refuses; the end of the exchange, which
 * follows, gives back what the others gave.
 */
export async function admitAll(
  holds: CallHolds,
  wanted: readonly Wanted[],
  meter: CallMeter,
  onExceeded: OnExceeded,
): Promise<void> {
  const answers = await askAll(holds, wanted, meter)
  let refused: GatewayError | undefined
  for (const [index, answer] of answers.entries()) {
    const { subject, takes } = wanted[index]!
    if (!answer?.admitted) {
      refused ??= errorOf(answer, takes)
      continue
    }
    holds.isStale ||= answer.isStale
    for (const [at, { limit, meter: asked, amount }] of takes.entries()) {
      const state = answer.states[at]
      holds.taken.set(limit, (holds.taken.get(limit) ?? 0) + amount)
      if (state) holds.admitted.push({ limit, amount: asked.amount, state })
    }
    for (const at of answer.exceeded) onExceeded(takes[at]!.limit, subject)
  }
  // Only now: a fallback of the call must not take once more what other subjects gave.
  if (refused) throw refused
}

function errorOf(
  answer: Exclude<Answers[number], { readonly admitted: true }>,
  takes: Wanted['takes'],
): GatewayError {
  if (!answer) return unavailable()
  const { refusedBy, why, retryAfterMs, states } = answer
  const { limit, meter } = takes[refusedBy]!
  return refusal({ limit, amount: meter.amount, why, retryAfterMs, state: states[refusedBy] })
}

type Answers = Awaited<ReturnType<CallMeter['admit']>>[]

/**
 * Asks all subjects at once. Where one has refused calls a moment ago, one after another up to the first that refuses:
 * a flood of calls that their key refuses must not hold the remaining amounts of its team and of the gateway.
 */
async function askAll(
  holds: CallHolds,
  wanted: readonly Wanted[],
  meter: CallMeter,
): Promise<Answers> {
  const ask = ({ subject, takes }: Wanted) => meter.admit(holdOf(holds, subject), takes)
  if (!wanted.some(({ subject }) => meter.hasRefused(subject))) return Promise.all(wanted.map(ask))
  const answers: Answers = []
  for (const one of wanted) {
    const answer = await ask(one)
    answers.push(answer)
    if (!answer?.admitted) break
  }
  return answers
}

function holdOf({ id, bySubject }: CallHolds, subject: string): Hold {
  let hold = bySubject.get(subject)
  if (!hold) bySubject.set(subject, (hold = { id, subject, takes: [], isUnheld: false }))
  return hold
}
