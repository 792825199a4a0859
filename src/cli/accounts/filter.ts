import { accountStateNames } from '../../admin/accounts/state.ts'
import { defined } from '../../lib/json/object.ts'
import { type Invocation, UsageError } from '../command.ts'

/** Which accounts a list has. */
interface AccountFilter {
  readonly provider?: string
  /** As `Account.state` of the admin API. */
  readonly state?: string
}

/**
 * `--provider NAME` and `--state STATE`. `known`: the states that the list can have. Throws `UsageError` for
 * others: an unknown state would look like one that no account has.
 */
export function accountFilterOf(
  { options: { provider, state } }: Pick<Invocation, 'options'>,
  known: readonly string[],
): AccountFilter {
  const all: readonly string[] = accountStateNames
  if (state !== undefined && !all.includes(state)) {
    throw new UsageError(`--state takes ${all.join(', ')}, not "${state}".`)
  }
  if (state !== undefined && !known.includes(state)) {
    throw new UsageError(`--state ${state} needs --url: only running gateways know it.`)
  }
  return defined({ provider, state })
}
