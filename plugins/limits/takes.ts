import type { Call } from '../../src/contract/call.ts'
import type { Understood } from '../../src/contract/exchange.ts'
import { opensSession } from '../../src/kit/spend.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { Estimate } from '../../src/limits/estimate.ts'
import type { LimitSet, SubjectLimits } from '../../src/limits/limit-set.ts'
import { meterLimitOf } from '../../src/limits/meter-limit.ts'
import type { Take } from './call-meter.ts'

/** The takes of a call of one subject. */
export interface Wanted {
  /** Its name in the meter. */
  readonly subject: string
  readonly takes: readonly Take[]
}

/** The models that a call names beside its own: of the requests of a batch, as stand-ins, for a tool. */
type Named = Pick<Call, 'work' | 'otherModels'>

/** Whether a limit counts a call of a model: it counts for each model that it names. */
export function counts(limit: Limit, model: string, named: Named | undefined): boolean {
  if (limit.appliesTo(model)) return true
  if (!named?.work && !named?.otherModels) return false
  return othersOf(named).some((one) => limit.appliesTo(one))
}

/** The platform models that a call names beside its own. */
export function othersOf({ work, otherModels = [] }: Named): readonly string[] {
  return [...(work?.models ?? []).map(({ model }) => model), ...otherModels.map(({ name }) => name)]
}

type IsHeld = (limit: Pick<Limit, 'kind'>) => boolean

/** The limits of which an open session holds something: for its budgets, its responses are the calls. */
const isOfSession: IsHeld = ({ kind }) => kind === 'concurrent' || kind === 'requests'

/** The limits of which a session takes nothing, and which must not be spent when it opens. */
export const isOfResponses: IsHeld = (limit) => !isOfSession(limit)

const isOfCall: IsHeld = ({ kind }) => kind !== 'concurrent'

/** The limits of which the calls of an operation take something. `undefined`: each. */
export function heldBy(operation: Understood['operation']): IsHeld | undefined {
  if (operation.overSocket) return isOfCall
  return opensSession(operation) ? isOfSession : undefined
}

/** What says how much a call takes of a limit. */
interface Amounts {
  /** Absent: the call names no other model. */
  readonly call?: Named
  readonly amounts: Pick<LimitSet, 'amountOf'>
  readonly now: number
  /** What it has taken of a limit already. */
  readonly taken: (limit: Limit) => Pick<Take, 'amount' | 'floor'>
  readonly estimate: () => Estimate
  /** Whether the call takes something of a limit. Absent: of each. */
  readonly isHeld?: IsHeld | undefined
}

/**
 * What a call takes before its body is read: of each limit that concerns all models and users the least amount, so
 * that a spent one refuses it.
 */
export function earlyTakes(
  all: readonly SubjectLimits[],
  amounts: Amounts['amounts'],
  now: number,
): Wanted[] {
  const wanted: Wanted[] = []
  for (const { name, ofAllCalls } of all) {
    if (ofAllCalls.length === 0) continue
    const takes = ofAllCalls.map((limit): Take => {
      const floor = limit.kind === 'requests' ? 1 : 0
      return { limit, meter: meterLimitOf(limit, now, amounts), amount: 1, floor, part: undefined }
    })
    wanted.push({ subject: name, takes })
  }
  return wanted
}

/** What a call takes once its model is known. `endUser`: the name of the end user's part of a subject. */
export function callTakes(
  model: string,
  all: readonly SubjectLimits[],
  amounts: Amounts & { readonly endUser: (subject: string) => string },
): Wanted[] {
  const wanted: Wanted[] = []
  for (const one of all) {
    const takes = takesOf(model, one, amounts)
    if (takes.length > 0) wanted.push({ subject: one.name, takes })
    const ofUser = one.hasUsers ? takesOf(model, one, amounts, true) : none
    if (ofUser.length > 0) wanted.push({ subject: amounts.endUser(one.name), takes: ofUser })
  }
  return wanted
}

const none: readonly Take[] = []

/** What a call takes of the limits of a subject that count it, or of the limits of its end user. */
export function takesOf(
  model: string,
  { inOrder }: SubjectLimits,
  { call, amounts, now, taken, estimate, isHeld }: Amounts,
  isPerUser = false,
): Take[] {
  const takes: Take[] = []
  for (const limit of inOrder) {
    if ((limit.per !== undefined) !== isPerUser || !counts(limit, model, call)) continue
    if (isHeld && !isHeld(limit)) continue
    const wanted = amountsOf(limit, estimate)
    const known = taken(limit)
    const amount = wanted.amount - known.amount
    if (amount <= 0) continue
    // The meter adds up the floors of a hold: a process that dies must not charge the prompt for each of its models.
    const floor = Math.max(0, wanted.floor - known.floor)
    const usual = meterLimitOf(limit, now, amounts)
    // What a batch exceeds a budget by would be the rest of thousands of calls.
    const isWhole = limit.kind !== 'requests' && limit.kind !== 'concurrent' && estimate().isOfBatch
    const meter = isWhole ? { ...usual, strict: true } : usual
    takes.push({ limit, meter, amount, floor, part: undefined })
  }
  return takes
}

/** At least 1, so that a spent limit refuses every call that it counts. */
function amountsOf(
  { kind, strict }: Limit,
  estimate: () => Estimate,
): { readonly amount: number; readonly floor: number } {
  if (kind === 'concurrent') return { amount: 1, floor: 0 }
  if (kind === 'requests') return { amount: 1, floor: 1 }
  const estimated = estimate()
  const { inputTokens } = estimated
  // A strict limit is never exceeded, so that it takes all that the request permits.
  const most = strict ? estimated.most : estimated
  switch (kind) {
    case 'inputTokens':
      return { amount: Math.max(1, inputTokens), floor: inputTokens }
    case 'outputTokens':
      return { amount: Math.max(1, most.outputTokens), floor: 0 }
    case 'tokens':
      return { amount: Math.max(1, inputTokens + most.outputTokens), floor: inputTokens }
    case 'cost':
      return { amount: Math.max(1, most.cost ?? 0), floor: estimated.inputCost ?? 0 }
  }
}
