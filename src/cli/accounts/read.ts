import type { AccountSetting } from '../../contract/account.ts'
import { type AccountState, listAccountStates } from '../../stores/account-states.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { readOrDeriveConfiguration } from '../first-run.ts'
import { programName } from '../hints.ts'
import { assertStoreValid, mayContainRecords, useStore } from '../use-store.ts'

/**
 * Reads the configuration for the account commands, which ignore problems outside of the store's
 * setting. Throws `ConfigurationError` if the setting of the store is invalid.
 */
export async function readForAccounts(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readOrDeriveConfiguration(invocation)
  assertStoreValid(configuration)
  return configuration
}

/** All accounts, including invalid ones: the gateway's environment may have the missing variables. */
export function allAccounts({ settings, invalidAccounts }: CommandConfiguration): AccountSetting[] {
  const invalid = invalidAccounts.map(({ setting }) => setting).filter(({ id }) => id !== '')
  return [...settings.accounts, ...invalid]
}

/** The states of accounts in the store, by account id. Rejects with `StoreUnavailable`. */
export async function storedStates(
  configuration: CommandConfiguration,
): Promise<ReadonlyMap<string, AccountState>> {
  return mayContainRecords(configuration)
    ? await useStore(configuration, listAccountStates)
    : new Map()
}

/** Finds the account that the operand or `--id` names. Throws `UsageError` or `CommandError`. */
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
    throw new UsageError(`The command line has two ids: "${operand}" and "${id}".`)
  }
  const accounts = allAccounts(configuration)
  const account = accounts.find((one) => one.id === id)
  if (account) return account
  const ids = accounts.map((one) => one.id).join(', ')
  throw new CommandError(`Unknown account "${id}". Accounts: ${ids || 'none'}.`)
}
