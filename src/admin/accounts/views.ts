import { credentialOriginOf } from '../../configuration/check-accounts.ts'
import type { ReadAccount } from '../../configuration/stored-accounts.ts'
import { placeOfSecret } from '../../configuration/secrets.ts'
import type { Account, AccountSetting, CredentialOrigin } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { Snapshot } from '../../contract/candidate.ts'
import type { Problem } from '../../contract/problems.ts'
import type { AdminServices } from '../services.ts'
import { exclusionsElsewhere, mergeExclusions } from './elsewhere.ts'
import { type AccountState, exclusionsHere, stateOf } from './state.ts'

/** An account as operators see it. It has no credential. */
export interface AccountView {
  readonly id: string
  readonly managedBy: 'FILE' | 'STORE'
  /** Absent: the account of the store has problems, and no call can use it. */
  readonly account?: Account
  readonly provider: string
  readonly speaks: readonly string[]
  readonly enabled: boolean
  /** Why it is disabled. */
  readonly disabledBy?: string
  /** Absent: that of the provider. */
  readonly baseUrl?: string
  readonly models: AccountSetting['models']
  readonly weight?: number
  readonly priority?: number
  readonly credential: CredentialInfo
  /** Of the record in the store; times are in milliseconds since 1970. */
  readonly version?: number
  readonly createdAt?: number
  readonly changedAt?: number
  readonly problems: readonly Problem[]
}

/** What is known of a credential that no one can read. */
export interface CredentialInfo {
  readonly isSet: boolean
  readonly source?: CredentialOrigin
  /** The last four characters of a long secret. */
  readonly hint?: string
  /** In milliseconds since 1970; only of a credential that the API has set. */
  readonly changedAt?: number
}

/** What an account is and what keeps calls from it. */
interface AccountStanding extends AccountState {
  readonly exclusions: readonly AccountExclusion[]
}

type Services = Pick<AdminServices, 'running' | 'log' | 'processes' | 'now'>

/** A snapshot is replaced with every change of an account. */
const known = new WeakMap<Snapshot, readonly AccountView[]>()

/** All accounts of the configuration and the store, in the order of their ids. */
function accountViews({ running }: Pick<Services, 'running'>): readonly AccountView[] {
  const { snapshot } = running.accounts
  const views = known.get(snapshot) ?? makeViews(running)
  known.set(snapshot, views)
  return views
}

/** The account of an id. */
export function findAccount(
  services: Pick<Services, 'running'>,
  id: string,
): AccountView | undefined {
  return accountViews(services).find((view) => view.id === id)
}

/** The accounts that a filter selects. */
export async function filterAccounts(
  services: Services,
  { provider, state }: { provider?: string | null | undefined; state?: string | null | undefined },
): Promise<readonly AccountView[]> {
  let views = accountViews(services)
  if (typeof provider === 'string') views = views.filter((view) => view.provider === provider)
  if (typeof state !== 'string') return views
  const standings = await standingsOf(services, views)
  return views.filter((view) => standings.get(view.id)?.state === state)
}

/** The standing of one account, in all processes. */
export async function standingOf(services: Services, view: AccountView): Promise<AccountStanding> {
  return (await standingsOf(services, [view])).get(view.id)!
}

async function standingsOf(
  services: Services,
  views: readonly AccountView[],
): Promise<Map<string, AccountStanding>> {
  const { running, log } = services
  const elsewhere = await exclusionsElsewhere(services)
  const accounts = views.flatMap(({ account }) => (account ? [account] : []))
  const here = exclusionsHere(running.plugins, accounts, log)
  const exclusionsOf = (id: string) => mergeExclusions(here.get(id) ?? [], elsewhere(id))
  return new Map(views.map((view) => [view.id, standing(view, exclusionsOf(view.id))]))
}

function standing(
  { account, enabled, disabledBy, problems }: AccountView,
  exclusions: readonly AccountExclusion[],
): AccountStanding {
  if (!account) {
    const reason = problems[0]?.message
    return { state: 'invalid', ...(reason !== undefined && { reason }), exclusions }
  }
  if (enabled) return { ...stateOf(exclusions), exclusions }
  return { state: 'disabled', ...(disabledBy !== undefined && { reason: disabledBy }), exclusions }
}

function makeViews({ accounts, storedAccounts }: AdminServices['running']): AccountView[] {
  const { snapshot, configured, storedProblems } = accounts
  const settings = new Map(configured.accounts.map((setting) => [setting.id, setting]))
  const stored = new Map(storedAccounts.accounts.map((one) => [one.id, one]))
  const problemsOf = (id: string) => storedProblems.get(id) ?? []
  const live = snapshot.accounts.map((account) => {
    const setting = settings.get(account.id)
    const problems = problemsOf(account.id)
    if (setting) return ofFile(account, setting, problems)
    return ofStore(stored.get(account.id) ?? { id: account.id, problems }, account, problems)
  })
  const ids = new Set(snapshot.accounts.map(({ id }) => id))
  const invalid = [...stored.values()]
    .filter(({ id }) => !ids.has(id))
    .map((one) => ofStore(one, undefined, problemsOf(one.id)))
  return [...live, ...invalid].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function ofFile(
  account: Account,
  setting: AccountSetting,
  problems: readonly Problem[],
): AccountView {
  const source = credentialOriginOf(setting)
  return {
    id: account.id,
    managedBy: 'FILE',
    ...fieldsOf(account, setting),
    ...disabler(account, setting.enabled, 'the configuration disables it'),
    credential: {
      isSet: setting.apiKey !== undefined,
      ...(source && { source }),
      ...hintOf(account.credential),
    },
    problems,
  }
}

/** An account of the store; `account` is undefined if no call can use it. */
export function ofStore(
  { id, record, setting }: ReadAccount,
  account: Account | undefined,
  problems: readonly Problem[],
): AccountView {
  const credential = record?.credential
  return {
    id,
    managedBy: 'STORE',
    ...(account ? fieldsOf(account, setting) : namesOf(setting, record?.account.provider)),
    ...(account && disabler(account, setting?.enabled ?? true, 'its record disables it')),
    credential: {
      isSet: credential !== undefined || account?.credential !== undefined,
      ...(credential && {
        source: sourceOf(credential.reference),
        changedAt: credential.changedAt,
      }),
      ...hintOf(account?.credential),
    },
    ...(record && {
      version: record.version,
      createdAt: record.createdAt,
      changedAt: record.changedAt,
    }),
    problems,
  }
}

function fieldsOf(account: Account, setting: AccountSetting | undefined) {
  const { provider, speaks, enabled, origin, basePath, weight, priority, models } = account
  return {
    account,
    provider,
    speaks,
    enabled,
    weight,
    priority,
    baseUrl: origin + basePath,
    models: setting?.models ?? models.patterns ?? models.names,
  }
}

/** The record may contain anything, so that only checked fields are shown. */
function namesOf(setting: AccountSetting | undefined, provider = '') {
  const { speaks = [], models = [], baseUrl } = setting ?? {}
  return { provider, speaks, models, enabled: false, ...(baseUrl !== undefined && { baseUrl }) }
}

function disabler({ enabled }: Account, isEnabled: boolean, reason: string) {
  if (enabled) return {}
  return { disabledBy: isEnabled ? 'an operator disabled it' : reason }
}

function sourceOf(reference: string | undefined): CredentialOrigin {
  if (reference === undefined) return 'STORE'
  return placeOfSecret(reference) === 'env' ? 'ENV' : 'FILE'
}

/** Four characters of a shorter secret would help to guess the rest. */
const shortestHinted = 20

function hintOf(secret: string | undefined): { hint?: string } {
  return secret === undefined || secret.length < shortestHinted ? {} : { hint: secret.slice(-4) }
}
