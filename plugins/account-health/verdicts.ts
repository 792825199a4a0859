import type { Call } from '../../src/contract/call.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import type { Verdict } from '../../src/contract/plugin.ts'
import { machineTime } from '../../src/lib/time.ts'
import type { AccountState, PartState } from './account-state.ts'
import type { Circuit } from './circuit.ts'
import type { Gate } from './gate.ts'
import { type Hold, by, laterOf, reasonOf } from './hold.ts'
import { hasMedia } from './media.ts'
import { steeringMark } from './operators.ts'

/** Retry delay while another call probes an account, in milliseconds. */
const probeMs = 1_000

type Excluded = NonNullable<Verdict['excluded']>

/** A gate that holds calls back, and its circuit. */
export interface GateOf {
  readonly circuit: Circuit
  readonly gate: Gate
}

/** Decides whether a candidate may be asked now. `clock` is the plugin's. */
export function judge(
  exchange: Understood,
  candidate: Candidate,
  state: AccountState | undefined,
  clock: () => number,
): Verdict | undefined {
  if (!state?.hasFaults) return undefined
  const { call, isDryRun } = exchange
  const { keyId } = exchange.caller
  const now = clock()
  const { whole } = state
  const refusal = whole.refusals.at(now, keyId)
  if (refusal) {
    if (refusal.isConfirmed && refusal.until <= now && !isDryRun) state.checks.recheck(candidate)
    // Without a time: a check may keep it out for longer.
    const { kind, status } = refusal
    return { excluded: { by, kind, reason: reasonOf(refusal), status } }
  }
  const parts = partsFor(exchange, candidate, state)
  const { model } = parts
  // Of two rests the longer one counts.
  const hold =
    model?.refusals.at(now, keyId) ??
    laterOf(whole.rests.at(now, keyId), model?.rests.at(now, keyId))
  if (hold) return { excluded: excludedBy(hold, clock) }
  if (isLookup(call)) return undefined
  const gates = gatesFor(parts, candidate, keyId, now)
  const excluded = causeOf(gates, { keyId, mayProbe: isEvidence(call) }, clock)
  if (excluded) return { excluded }
  // An affinity to a silent account does not outweigh its silence.
  return model?.silence.at(now, keyId) ? { rank: 2, why: 'account-silent' } : undefined
}

/** The states that decide on a call. */
interface CallParts {
  readonly whole: PartState
  readonly model: PartState | undefined
  /** The model's calls with images or files, if this is one of them and any has failed. */
  readonly media: PartState | undefined
}

export function partsFor(
  exchange: Understood,
  candidate: Candidate,
  state: AccountState,
): CallParts {
  const name = partName(exchange, candidate)
  const media = state.knownModel(mediaName(name))
  return {
    whole: state.whole,
    model: state.knownModel(name),
    media: media && hasMedia(exchange) ? media : undefined,
  }
}

/**
 * The name of the state of a model's calls with images or files. Only its circuits are used: a model for texts that
 * fails at images keeps its calls with texts.
 */
export function mediaName(name: string): string {
  return `${name}${steeringMark}media`
}

/** The gates that hold calls of a key back: of the connections to the account, of the model, and of its calls with media. */
export function gatesFor(
  { whole, model, media }: CallParts,
  { dialect }: Candidate,
  keyId: string,
  now: number,
): GateOf[] {
  return [whole, model, media].flatMap((part) => {
    const circuit = part?.circuits.get(dialect.id)
    const gate = circuit?.gateOf(keyId, now)
    return circuit && gate && !gate.isOnProbation ? { circuit, gate } : []
  })
}

/** Why gates let no call of a key pass; `undefined` if it may pass, as a probe if they are half-open. */
export function causeOf(
  gates: readonly GateOf[],
  { keyId, mayProbe }: { readonly keyId: string; readonly mayProbe: boolean },
  clock: () => number,
): Excluded | undefined {
  const now = clock()
  for (const { gate } of gates) {
    const hold = gate.hold(now)
    if (hold && !hold.isProbing) return excludedBy(hold, clock)
    if (!hold || !mayProbe || !gate.keepsOut(keyId, now)) continue
    const reason = `${reasonOf(hold)}; another call is the probe`
    return { by, kind: hold.kind, reason, untilMs: Date.now() + probeMs }
  }
  return undefined
}

function excludedBy(hold: Hold, clock: () => number): Excluded {
  const { kind, until, status } = hold
  const untilMs = machineTime(until, clock)
  return { by, kind, reason: reasonOf(hold), untilMs, ...(status !== undefined && { status }) }
}

/** Whether a call only looks up a resource. Look-ups ignore circuits. */
function isLookup({ model, refersTo }: Call): boolean {
  return model === '' && refersTo.some(({ use }) => use === 'own')
}

/** Whether outcomes of a call are evidence about a model, so that it may also probe an account. */
export function isEvidence({ model }: Call): boolean {
  return model !== ''
}

/** In characters; callers choose the header. */
const longestSteering = 200

/**
 * The name of a model's state. At a sandbox, the caller's directives belong to the model: a failure or limit on
 * purpose concerns only requests that ask for it.
 */
export function partName(
  { request }: Understood,
  { account, native, upstreamModel }: Candidate,
): string {
  const steering =
    account.provider === 'sandbox' && native ? request.headers['x-sandbox'] : undefined
  return steering === undefined
    ? upstreamModel
    : `${upstreamModel}${steeringMark}${String(steering).slice(0, longestSteering)}`
}
