import type { Candidate } from '../contract/candidate.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import type { Pin } from '../contract/call.ts'
import type { GatewayPlugin, Verdict } from '../contract/plugin.ts'
import type { Hook, PluginFailures } from './plugin-failures.ts'

/** The verdicts of all plugins on a call's candidates. */
export interface Verdicts {
  /** The verdicts on each candidate. Absent if no plugin returned any. */
  verdicts?: Verdict[][]
  pin?: Pin
}

type Judge = GatewayPlugin & Required<Pick<GatewayPlugin, 'onCandidates'>>
type Result = Awaited<ReturnType<Judge['onCandidates']>>

/** The input of `onCandidates`. */
interface VerdictInput {
  readonly exchange: Understood
  readonly candidates: readonly Candidate[]
}

const onCandidates: Hook<Judge, VerdictInput, Result> = {
  name: 'onCandidates',
  call: (plugin, input) => plugin.onCandidates(input),
}

/** Calls `onCandidates` of every plugin in turn. Returns a promise only if a plugin returns one. */
export function collectVerdicts(
  plugins: readonly Judge[],
  input: VerdictInput,
  failures: PluginFailures,
  collected: Verdicts = {},
  from = 0,
): MaybePromise<Verdicts> {
  const accept = (result: Result) => note(collected, result, input.candidates)
  for (let index = from; index < plugins.length; index++) {
    const noted = failures.guard(onCandidates, plugins[index]!, input, accept)
    if (isThenable(noted)) {
      return noted.then(() => collectVerdicts(plugins, input, failures, collected, index + 1))
    }
  }
  return collected
}

function note(collected: Verdicts, result: Result, candidates: readonly Candidate[]): void {
  if (!result) return
  if (isPin(result)) collected.pin = mergePins(collected.pin, result)
  else {
    const verdicts = (collected.verdicts ??= candidates.map((): Verdict[] => []))
    result.forEach((verdict, index) => verdict && verdicts[index]?.push(verdict))
  }
}

function isPin(result: NonNullable<Result>): result is Pin {
  return 'pinnedTo' in result
}

/** Merges two pins. Throws `GatewayError` for pins to different accounts, since none can serve the call. */
function mergePins(first: Pin | undefined, second: Pin): Pin {
  if (!first) return second
  const stored = first.stored ?? second.stored
  if (first.pinnedTo === undefined || second.pinnedTo === undefined) {
    const owned = first.pinnedTo === undefined ? second : first
    return { ...owned, ...(stored && { stored }) }
  }
  if (first.pinnedTo === second.pinnedTo) return { ...second, ...(stored && { stored }) }
  throw new GatewayError(
    'invalid_value',
    'The request refers to resources that belong to different accounts.',
  )
}
