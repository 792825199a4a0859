import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion } from '../../src/contract/call.ts'
import type { ReadmissionChoice } from '../../src/contract/plugin.ts'
import type { Log } from '../../src/lib/log.ts'
import { machineTime } from '../../src/lib/time.ts'
import type { AccountState } from './account-state.ts'
import { by, reasonOf } from './hold.ts'

/** Separates a model from the sandbox steering of its caller, in the name of the model's state. */
export const steeringMark = '\n'

function modelOf(name: string): string {
  const [model = ''] = name.split(steeringMark, 1)
  return model
}

/** All that keeps calls from an account, as operators see it. */
export function* exclusionsOf(
  { id: account }: Account,
  state: AccountState,
  clock: () => number,
): Generator<AccountExclusion> {
  const now = clock()
  for (const [name, part] of state.parts()) {
    for (const hold of part.holds(now)) {
      const { kind, until, status, keyId, dialect, isProbing, failures } = hold
      yield {
        account,
        by,
        kind,
        reason: reasonOf(hold),
        ...(!isProbing && { untilMs: machineTime(until, clock) }),
        ...(isProbing !== undefined && { isProbing }),
        ...(dialect !== undefined && { dialect }),
        ...(name !== undefined && { model: modelOf(name) }),
        ...(name?.includes(steeringMark) && { isPartial: true }),
        ...(failures && {
          failures: failures.map(({ at, cause, exchangeId }) => ({
            atMs: machineTime(at, clock),
            cause,
            exchangeId,
          })),
        }),
        ...(status !== undefined && { status }),
        ...(keyId !== undefined && { keyId }),
      }
    }
  }
}

/** Ends the exclusions that an operator chose, without a probe, and returns their number. `now`: the plugin's clock. */
export function readmit(
  { id: account }: Account,
  state: AccountState,
  choice: ReadmissionChoice,
  { log, now }: { readonly log: Log; readonly now: number },
): number {
  let ended = 0
  for (const [name, part] of state.parts()) {
    if (choice.kind === 'circuit') {
      for (const [family, circuit] of part.circuits) {
        if ((choice.dialect !== undefined && family !== choice.dialect) || !circuit.reset())
          continue
        ended++
        const model = name !== undefined && { model: modelOf(name) }
        log.info('circuit closed: an operator reset it', { account, family, ...model })
      }
    } else if (choice.model === undefined || (name && modelOf(name) === choice.model)) {
      ended += part.rests.clear(now)
      if (!part.refusals.at(now)) continue
      ended++
      if (name === undefined) state.checks.readmit()
      else part.refusals.restore()
    }
  }
  return ended
}
