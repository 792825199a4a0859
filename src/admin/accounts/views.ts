import { credentialOriginOf } from '../../configuration/check-accounts.ts'
import { shownUrl } from '../../configuration/shown-url.ts'
import type { ReadAccount } from '../../configuration/stored-accounts.ts'
import { placeOfSecret } from '../../configuration/secrets.ts'
import type {
  Account,
  AccountSetting,
  BaseUrls,
  CredentialOrigin,
  Root,
} from '../../contract/account.ts'
import type { Problem } from '../../contract/problems.ts'
import { providerSettings } from '../../contract/provider.ts'

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
  /** As `shownUrl` has it. Default: the provider's URL. */
  readonly baseUrl?: string
  /** The base URLs of dialects that have another one, as `shownUrl` shows them. */
  readonly baseUrls?: BaseUrls
  readonly models: AccountSetting['models']
  /** The settings in effect, defaults included. Empty if the account's record cannot be read. */
  readonly settings: ShownSettings
  readonly credential: CredentialInfo
  /** The version of the record in the store; the times below are milliseconds since 1970. */
  readonly version?: number
  readonly createdAt?: number
  readonly changedAt?: number
  readonly problems: readonly Problem[]
}

/** The settings of an account that are shown as they are. */
type ShownSettings = Partial<
  Pick<
    AccountSetting,
    | 'weight'
    | 'priority'
    | 'outputLimitField'
    | 'asksForUsage'
    | 'lacks'
    | 'replyModel'
    | 'options'
    | 'forward'
    | 'entra'
    | 'googleAuth'
    | 'aws'
    | (typeof providerSettings)[number]
  >
>

/** The facts about a credential that operators see; the credential itself cannot be read. */
export interface CredentialInfo {
  readonly isSet: boolean
  readonly source?: CredentialOrigin
  /** The last four characters of a long secret. */
  readonly hint?: string
  /** In milliseconds since 1970; only of a credential that the API has set. */
  readonly changedAt?: number
}

/** An account of the configuration. `problems`: the problems of a stored account with the same id. */
export function ofFile(
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
      isSet: setting.apiKey !== undefined || account.authorizer !== undefined,
      ...(source && { source }),
      ...hintOf(secretOf(setting)),
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
      ...hintOf(setting && secretOf(setting)),
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
  const { provider, speaks, enabled, origin, basePath, roots, models } = account
  return {
    account,
    provider,
    speaks,
    enabled,
    settings: { ...settingsOf(account), ...cloudSettingsOf(setting) },
    baseUrl: shownUrl(origin + basePath),
    ...(roots && { baseUrls: shownUrls(Object.entries(roots).map(urlOfRoot)) }),
    models: setting?.models ?? models.patterns ?? models.names,
  }
}

/** The record may contain anything, so that only checked fields are shown. */
function namesOf(setting: AccountSetting | undefined, provider = '') {
  const { speaks = [], models = [], baseUrl, baseUrls } = setting ?? {}
  return {
    provider,
    speaks,
    models,
    enabled: false,
    settings: setting ? { ...settingsOf(setting), ...cloudSettingsOf(setting) } : {},
    ...(baseUrl !== undefined && { baseUrl: shownUrl(baseUrl) }),
    ...(baseUrls && { baseUrls: shownUrls(Object.entries(baseUrls)) }),
  }
}

function urlOfRoot([id, { origin, basePath }]: [string, Root]): [string, string] {
  return [id, origin + basePath]
}

function shownUrls(urls: readonly [string, string][]): BaseUrls {
  return Object.fromEntries(urls.map(([id, url]) => [id, shownUrl(url)]))
}

function settingsOf({
  weight,
  priority,
  outputLimitField,
  asksForUsage,
  lacks,
  replyModel,
  options,
  forward,
}: Account | AccountSetting): ShownSettings {
  return {
    weight,
    priority,
    ...(outputLimitField && { outputLimitField }),
    asksForUsage,
    ...(lacks && { lacks }),
    replyModel,
    ...(options && { options }),
    ...(forward && { forward }),
  }
}

/** The settings of an account at a cloud as they are written, without secrets. */
function cloudSettingsOf(setting: Partial<AccountSetting> = {}): ShownSettings {
  const { entra, googleAuth, aws } = setting
  const { clientSecret: _, ...shown } = entra ?? {}
  const { file } = googleAuth ?? {}
  const { secretAccessKey: _key, sessionToken: _token, ...ofAws } = aws ?? {}
  const given = providerSettings.flatMap((name) =>
    setting[name] === undefined ? [] : [[name, setting[name]] as const],
  )
  return {
    ...(Object.fromEntries(given) as ShownSettings),
    ...(entra && { entra: shown }),
    ...(googleAuth && { googleAuth: file === undefined ? {} : { file } }),
    ...(aws && { aws: ofAws }),
  }
}

/** `AccountView.disabledBy` of an account that an operator has disabled. */
export const byOperator = 'an operator disabled it'

function disabler({ enabled }: Account, isEnabled: boolean, reason: string) {
  if (enabled) return {}
  return { disabledBy: isEnabled ? byOperator : reason }
}

function sourceOf(reference: string | undefined): CredentialOrigin {
  if (reference === undefined) return 'STORE'
  return placeOfSecret(reference) === 'env' ? 'ENV' : 'FILE'
}

/** The secret of an account that is a key: the end of JSON is none. */
function secretOf({ apiKey, entra, aws }: AccountSetting): string | undefined {
  return apiKey ?? entra?.clientSecret ?? aws?.secretAccessKey
}

/** Four characters of a shorter secret would help to guess the rest. */
const shortestHinted = 20

function hintOf(secret: string | undefined): { hint?: string } {
  return secret === undefined || secret.length < shortestHinted ? {} : { hint: secret.slice(-4) }
}
