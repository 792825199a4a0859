import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { Pin } from '../contract/call.ts'
import type { GatewayPlugin, Verdict } from '../contract/plugin.ts'
import type { PluginFailures } from './plugin-failures.ts'

/** What all plugins together say of a call's candidates. */
export interface Verdicts {
  /** For each candidate, every verdict on it. Absent where nobody had anything to say. */
  verdicts?: Verdict[][]
  pin?: Pin
}

type Judge = GatewayPlugin & Required<Pick<GatewayPlugin, 'onCandidates'>>

export interface VerdictInput {
  readonly exchange: Understood
  readonly candidates: readonly Candidate[]
}

/** Asks every plugin in turn, at once where none of them has to wait for anything. */
export function collectVerdicts(
  plugins: readonly Judge[],
  input: VerdictInput,
  failures: PluginFailures,
  judgement: Verdicts = {},
  from = 0,
): MaybePromise<Verdicts> {
  for (let index = from; index < plugins.length; index++) {
    const plugin = plugins[index]!
    const noted = failures.guard(
      { plugin, hook: 'onCandidates', exchange: input.exchange },
      () => plugin.onCandidates(input),
      (answer) => note(judgement, answer, input.candidates),
    )
    if (isThenable(noted)) {
      return noted.then(() => collectVerdicts(plugins, input, failures, judgement, index + 1))
    }
  }
  return judgement
}

type Answer = Awaited<ReturnType<Judge['onCandidates']>>

function note(judgement: Verdicts, answer: Answer, candidates: readonly Candidate[]): void {
  if (!answer) return
  if (isPin(answer)) judgement.pin = onePin(judgement.pin, answer)
  else {
    const verdicts = (judgement.verdicts ??= candidates.map((): Verdict[] => []))
    answer.forEach((verdict, index) => verdict && verdicts[index]?.push(verdict))
  }
}

function isPin(answer: NonNullable<Answer>): answer is Pin {
  return 'pinnedTo' in answer
}

/** A call that refers to resources of two accounts can be served by neither. */
function onePin(first: Pin | undefined, second: Pin): Pin {
  if (!first) return second
  const kept = first.stored ?? second.stored
  if (first.pinnedTo === undefined || second.pinnedTo === undefined) {
    const owned = first.pinnedTo === undefined ? second : first
    return { ...owned, ...(kept && { stored: kept }) }
  }
  if (first.pinnedTo === second.pinnedTo) return { ...second, ...(kept && { stored: kept }) }
  throw new GatewayError(
    'invalid_value',
    'The request refers to resources that belong to different accounts.',
  )
}
