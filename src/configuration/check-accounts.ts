import type { z } from 'zod'

import { repeatedIds } from './check-names.ts'
import { priceProblems } from './prices-schema.ts'
import { quotaProblems } from './quota-schema.ts'
import type { Problem } from '../contract/problems.ts'
import { accountSchema } from './account-schema.ts'
import { type EnvironmentVariables, placeOfSecret, resolveSecret } from './secrets.ts'
import type { AccountSetting, CredentialOrigin } from '../contract/account.ts'
import { defined } from '../lib/json/object.ts'
import {
  type ReferenceContext,
  passwordOf,
  resolveAuthorities,
  resolveCertificate,
  resolveProxy,
} from './account-connection.ts'
import { resolveClouds } from './account-clouds.ts'
import { resolveHeaders } from './account-headers.ts'
import type { Work } from '../lib/turns.ts'
import { checkShape } from './shape.ts'

/** An account and its path in the configuration: `accounts[1]`. */
export interface CheckedAccount {
  path: string
  setting: AccountSetting
}

/** The result of `checkAccounts`. */
interface CheckedAccounts {
  valid: CheckedAccount[]
  /** The readable fields of invalid accounts, for further checks only. */
  invalid: CheckedAccount[]
}

/** Separates valid from invalid accounts, one at a step, and adds their problems to `problems`. */
export function* checkAccounts(
  list: readonly unknown[],
  environment: EnvironmentVariables,
  problems: Problem[],
): Work<CheckedAccounts> {
  problems.push(...repeatedIds('accounts', list))
  const checked: CheckedAccounts = { valid: [], invalid: [] }
  for (const [index, value] of list.entries()) {
    const path = `accounts[${index}]`
    const input = checkShape(accountSchema, value, path, problems)
    const { id, prices, quotas } = { ...(value as Readonly<Record<string, unknown>> | null) }
    problems.push(
      ...priceProblems(`${path}.prices`, prices),
      ...quotaProblems(`${path}.quotas`, { type: 'account', id: String(id) }, quotas),
    )
    const apiKey = checkApiKey(value, path, environment, problems)
    const readable = input ?? readableFields(value)
    const resolved = resolveReferences(readable, { path, environment, problems })
    if (input) {
      const setting = completeAccount(input, apiKey, resolved)
      const written =
        input.apiKey ??
        input.entra?.clientSecret ??
        input.googleAuth?.json ??
        input.aws?.secretAccessKey
      if (written !== undefined) sources.set(setting, sourceOf(written))
      checked.valid.push({ path, setting })
    } else {
      if (readable.provider === undefined) continue
      const setting = completeAccount({ ...emptyAccount, ...readable }, apiKey, resolved)
      checked.invalid.push({ path, setting })
    }
    yield
  }
  return checked
}

/** Apart from the settings, since it is for operators only. */
const sources = new WeakMap<AccountSetting, CredentialOrigin>()

/** Where the credential of an account of the configuration comes from. `undefined`: the account has no credential. */
export function credentialOriginOf(setting: AccountSetting): CredentialOrigin | undefined {
  return sources.get(setting)
}

function sourceOf(apiKey: string): CredentialOrigin {
  const place = placeOfSecret(apiKey)
  return place === 'literal' ? 'CONFIGURATION' : place === 'env' ? 'ENV' : 'FILE'
}

type AccountInput = z.output<typeof accountSchema>

/** The defaults of an account without the fields that it must have. */
export const emptyAccount: AccountInput = {
  ...accountSchema.parse({ id: 'a', provider: 'a', models: ['*'] }),
  id: '',
  provider: '',
  models: [],
}

/** The setting of a checked account. `resolved` replaces the fields that name places. */
export function completeAccount(
  input: Omit<AccountInput, 'apiKey' | keyof ResolvedFields>,
  apiKey: string | undefined,
  resolved: ResolvedFields = {},
): AccountSetting {
  const { timeouts, options, ...fields } = input
  return defined({
    ...fields,
    options: options ?? undefined,
    apiKey,
    timeouts: timeouts && defined(timeouts),
    ...resolved,
  })
}

/** The fields of an account that may name variables and files, resolved. */
type ResolvedFields = Pick<
  AccountSetting,
  'headers' | 'secrets' | 'proxy' | 'ca' | 'clientCertificate' | 'entra' | 'googleAuth' | 'aws'
>

/** Reads and checks the places that an account names. Adds problems, none of which repeats a secret. */
function resolveReferences(
  written: Partial<AccountInput>,
  context: ReferenceContext,
): ResolvedFields {
  const { path, environment, problems } = context
  const found =
    written.headers && resolveHeaders(written.headers, `${path}.headers`, environment, problems)
  const proxy = written.proxy === undefined ? undefined : resolveProxy(written.proxy, context)
  const clouds = resolveClouds(definedClouds(written), context)
  const secrets = [...(found?.secrets ?? []), ...passwordOf(proxy), ...clouds.secrets]
  return defined({
    headers: found?.headers,
    secrets: secrets.length > 0 ? secrets : undefined,
    entra: clouds.entra,
    googleAuth: clouds.googleAuth,
    aws: clouds.aws,
    proxy,
    ca: written.ca === undefined ? undefined : resolveAuthorities(written.ca, context),
    clientCertificate:
      written.clientCertificate && resolveCertificate(written.clientCertificate, context),
  })
}

/** The schema's optional members, without those that are there and undefined. */
function definedClouds({ entra, googleAuth, aws }: Partial<AccountInput>) {
  return defined({
    entra: entra && defined(entra),
    googleAuth: googleAuth && defined(googleAuth),
    aws: aws && defined(aws),
  })
}

/** The fields of an invalid account that are valid by themselves. */
function readableFields(account: unknown): Partial<AccountInput> {
  if (typeof account !== 'object' || account === null) return {}
  const fields = Object.entries(accountSchema.shape).flatMap(([name, schema]) => {
    const { success, data } = schema.safeParse((account as Record<string, unknown>)[name])
    return success && data !== undefined ? [[name, data]] : []
  })
  return Object.fromEntries(fields) as Partial<AccountInput>
}

// Independent of the account's other fields, so that one run reports every problem.
function checkApiKey(
  account: unknown,
  path: string,
  environment: EnvironmentVariables,
  problems: Problem[],
): string | undefined {
  if (typeof account !== 'object' || account === null || !('apiKey' in account)) return undefined
  const { apiKey } = account
  if (apiKey === undefined) problems.push(undefinedKey(path))
  if (typeof apiKey !== 'string' || apiKey === '') return undefined
  return resolveSecret(apiKey, `${path}.apiKey`, environment, problems)
}

/** The value of `apiKey: process.env.NAME` is undefined if the variable is not set. */
function undefinedKey(path: string): Problem {
  return {
    path: `${path}.apiKey`,
    message: 'is undefined, probably because an environment variable is not set',
    fix: 'write apiKey: "env:NAME", or remove apiKey if the account needs none',
  }
}
