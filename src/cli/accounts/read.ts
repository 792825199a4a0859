import { type KeptOut, isWhole, keptOutOf } from '../../admin/processes/everywhere.ts'
import { listProcesses, processRecords } from '../../admin/processes/record.ts'
import { type AccountState, listAccountStates } from '../../stores/account-states.ts'
import { CommandError, type Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { mayContainRecords, useStore } from '../use-store.ts'
import type { KnownAccount } from './describe.ts'
import { storedAccounts } from './stored.ts'

/**
 * All accounts of the configuration and the store, including invalid ones: the gateway's environment may
 * have what they lack. Rejects with `StoreUnavailable`.
 */
export async function allAccounts(
  configuration: CommandConfiguration,
  { terminal }: Pick<Invocation, 'terminal'>,
): Promise<KnownAccount[]> {
  const { settings, invalidAccounts } = configuration
  const invalid = invalidAccounts.map(({ setting }) => setting).filter(({ id }) => id !== '')
  const configured: KnownAccount[] = [...settings.accounts, ...invalid]
  const ids = new Set(configured.map(({ id }) => id))
  const stored = await storedAccounts(configuration, terminal.env)
  return [
    ...configured,
    ...stored
      .filter(({ id }) => !ids.has(id))
      .map(({ id, record }) => ({
        id,
        provider: record?.account.provider ?? '',
        enabled: record?.account.enabled !== false,
        from: 'store' as const,
        ...(!record && { isInvalid: true }),
      })),
  ]
}

/** The states of accounts in the store, by account id. Rejects with `StoreUnavailable`. */
export async function storedStates(
  configuration: CommandConfiguration,
): Promise<ReadonlyMap<string, AccountState>> {
  return mayContainRecords(configuration)
    ? await useStore(configuration, listAccountStates)
    : new Map()
}

/** What is known of the processes that run. */
interface SeenProcesses {
  /** What keeps accounts out in them, by account id. */
  readonly out: ReadonlyMap<string, readonly KeptOut[]>
  /** Whether this is all of them. */
  readonly isComplete: boolean
}

/** What keeps accounts out in the processes on the store. Rejects with `StoreUnavailable`. */
export async function keptOut(configuration: CommandConfiguration): Promise<SeenProcesses> {
  if (!mayContainRecords(configuration)) return { out: new Map(), isComplete: true }
  const list = await useStore(configuration, (store) => listProcesses(processRecords(store)))
  const { processes, unreadable, isCut } = list
  return {
    out: Map.groupBy(keptOutOf(processes), ({ account }) => account),
    isComplete: unreadable.length === 0 && !isCut && processes.every(isWhole),
  }
}

/** Finds the account of an id. Rejects with `CommandError`. */
export async function findAccount(
  invocation: Pick<Invocation, 'terminal'>,
  configuration: CommandConfiguration,
  id: string,
): Promise<KnownAccount> {
  const accounts = await allAccounts(configuration, invocation)
  const account = accounts.find((one) => one.id === id)
  if (account) return account
  const ids = accounts.map((one) => one.id).join(', ')
  throw new CommandError(`Unknown account "${id}". Accounts: ${ids || 'none'}.`)
}

/** Whether an account is in service before a switch, for its audit record. Rejects with `StoreUnavailable`. */
export async function switchedBefore(
  configuration: CommandConfiguration,
  { id, enabled }: KnownAccount,
): Promise<{ readonly enabled: boolean }> {
  const state = (await storedStates(configuration)).get(id)
  return { enabled: enabled && state?.enabled !== false }
}
