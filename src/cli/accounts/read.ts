import type { AccountSetting } from '../../contract/account.ts'
import { type AccountState, listAccountStates } from '../../stores/account-states.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { readOrDeriveConfiguration } from '../first-run.ts'
import { programName } from '../hints.ts'
import { assertStoreValid, mayContainRecords, useStore } from '../use-store.ts'

/**
 * The configuration, as far as switching accounts needs it: other problems are `check`'s and
 * `serve`'s. Throws `ConfigurationError` where there is no telling which store is meant.
 */
export async function readForAccounts(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readOrDeriveConfiguration(invocation)
  assertStoreValid(configuration)
  return configuration
}

/** All accounts, those with problems too: what a shell does not know may be in order where it serves. */
export function allAccounts({ settings, invalidAccounts }: CommandConfiguration): AccountSetting[] {
  const doubtful = invalidAccounts.map(({ setting }) => setting).filter(({ id }) => id !== '')
  return [...settings.accounts, ...doubtful]
}

/** How accounts have been switched, by their ids. Rejects with `StoreUnavailable`. */
export async function storedStates(
  configuration: CommandConfiguration,
): Promise<ReadonlyMap<string, AccountState>> {
  return mayContainRecords(configuration) ? await useStore(configuration, listAccountStates) : new Map()
}

/** The account that a command is about: its operand or `--id`. Throws where there is none. */
export function findAccount(
  { operand, options }: Invocation,
  configuration: CommandConfiguration,
  command: string,
): AccountSetting {
  const { id = operand } = options
  if (id === undefined) {
    const program = programName()
    throw new UsageError(
      `Which account? \`${program} ${command} ID\`; \`${program} accounts list\` shows them.`,
    )
  }
  if (operand !== undefined && operand !== id) {
    throw new UsageError(`Two ids were given: "${operand}" and "${id}".`)
  }
  const accounts = allAccounts(configuration)
  const account = accounts.find((one) => one.id === id)
  if (account) return account
  const ids = accounts.map((one) => one.id).join(', ')
  throw new CommandError(`There is no account "${id}". There is ${ids || 'none at all'}.`)
}
