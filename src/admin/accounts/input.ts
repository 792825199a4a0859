import type { z } from 'zod'

import { problemsOfAccount } from '../../accounts/stored.ts'
import { googleFault } from '../../configuration/account-clouds.ts'
import { completeAccount, emptyAccount } from '../../configuration/check-accounts.ts'
import { withoutTexts } from '../../kit/secrets/mask.ts'
import { placeOfSecret, resolveSecret, secretMask } from '../../configuration/secrets.ts'
import { checkShape } from '../../configuration/shape.ts'
import {
  type CredentialAccess,
  readReference,
  storedFieldsSchema,
} from '../../configuration/stored-accounts.ts'
import type { OfferedDialects } from '../../contract/plugin.ts'
import type { AccountSetting, OutputLimitField } from '../../contract/account.ts'
import type { Problem } from '../../contract/problems.ts'
import type { AccountLack } from '../../generate/account-lacks.ts'
import { isTooDeep } from '../../lib/json/object.ts'
import {
  type StoredAccountFields,
  type StoredCredential,
  credentialSubject,
} from '../../stores/stored-accounts.ts'

/** The fields of an account as the API takes them. Absent: unchanged. Null: cleared. */
export interface AccountInput {
  readonly id: string
  readonly provider?: string | null | undefined
  readonly baseUrl?: string | null | undefined
  readonly baseUrls?: unknown
  readonly entra?: unknown
  readonly googleAuth?: unknown
  readonly aws?: unknown
  readonly apiVersion?: string | null | undefined
  readonly project?: string | null | undefined
  readonly location?: string | null | undefined
  readonly region?: string | null | undefined
  readonly anthropicVersion?: string | null | undefined
  readonly guardrail?: unknown
  readonly credential?: string | null | undefined
  readonly speaks?: readonly string[] | null | undefined
  readonly models?: readonly string[] | null | undefined
  readonly modelMap?: unknown
  readonly outputLimitField?: OutputLimitField | null | undefined
  readonly asksForUsage?: boolean | null | undefined
  readonly lacks?: readonly AccountLack[] | null | undefined
  readonly replyModel?: AccountSetting['replyModel'] | null | undefined
  readonly options?: unknown
  readonly forward?: unknown
  readonly timeouts?: unknown
  readonly maxConcurrent?: number | null | undefined
  readonly weight?: number | null | undefined
  readonly priority?: number | null | undefined
  readonly enabled?: boolean | null | undefined
}

/** The largest account, in characters of JSON. */
const mostCharacters = 64 * 1024

const fieldNames = [
  'provider',
  'baseUrl',
  'baseUrls',
  'entra',
  'googleAuth',
  'aws',
  'apiVersion',
  'project',
  'location',
  'region',
  'anthropicVersion',
  'guardrail',
  'speaks',
  'models',
  'outputLimitField',
  'asksForUsage',
  'lacks',
  'replyModel',
  'options',
  'forward',
  'timeouts',
  'maxConcurrent',
  'weight',
  'priority',
  'enabled',
] as const satisfies readonly (keyof AccountInput & keyof z.input<typeof storedFieldsSchema>)[]

/** Applies an input to the fields of an account. The result is not checked. */
export function applyInput(
  known: Readonly<Record<string, unknown>>,
  input: AccountInput,
): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...known, id: input.id }
  for (const name of fieldNames) {
    const value = name === 'models' ? modelsOf(known, input) : input[name]
    if (value === null) delete fields[name]
    else if (value !== undefined) fields[name] = value
  }
  return fields
}

/** A map and a list are one field. A map of null clears a map, and leaves a list. */
function modelsOf(
  { models: known }: Readonly<Record<string, unknown>>,
  { models, modelMap }: AccountInput,
): unknown {
  if (modelMap !== null || models !== undefined) return modelMap ?? models
  return Array.isArray(known) ? undefined : null
}

/**
 * Checks the fields of an account as the configuration checks its accounts. `forbidden`: the hosts that it may not
 * reach. Adds problems.
 */
export function checkFields(
  fields: Readonly<Record<string, unknown>>,
  dialects: OfferedDialects,
  forbidden: readonly string[],
  problems: Problem[],
): StoredAccountFields | undefined {
  if (isTooDeep(fields) || JSON.stringify(fields).length > mostCharacters) {
    const message = `has more than ${mostCharacters} characters, or too many levels`
    problems.push({ path: 'input', message, fix: 'use patterns such as gpt-* for its models' })
    return undefined
  }
  const checked = checkShape(storedFieldsSchema, fields, 'input', problems)
  if (!checked) {
    problems.push(...providerProblems(fields, dialects))
    return undefined
  }
  const setting = { ...completeAccount(checked, undefined), forbidden }
  const found = problemsOfAccount(setting, dialects)
  problems.push(...found.map((problem) => relocate(problem, checked)))
  // The record has no defaults: the defaults of the process that reads it apply.
  return fields as unknown as StoredAccountFields
}

/** The problem of an unknown provider, beside the other problems. */
function providerProblems(
  { provider }: Readonly<Record<string, unknown>>,
  dialects: OfferedDialects,
): Problem[] {
  if (typeof provider !== 'string' || provider === '') return []
  const setting = completeAccount({ ...emptyAccount, provider }, undefined)
  return problemsOfAccount(setting, dialects)
    .map((problem) => relocate(problem, { id: '', provider }))
    .filter(({ path }) => path === 'input.provider')
}

/** A problem of the input, without long names: a client may have put a credential in the place of a name. */
function relocate(
  { path, message, fix }: Problem,
  { id, provider, speaks = [] }: { id: string; provider: string; speaks?: string[] | undefined },
): Problem {
  const long = [provider, ...speaks].filter((name) => name.length >= 20)
  return {
    path: path.replace(`accounts.${id}`, 'input'),
    message: withoutTexts(message, long, '...'),
    fix,
  }
}

const credentialPath = 'input.credential'

/** The longest credential, in characters. */
const longestCredential = 16 * 1024

/**
 * Prepares a credential for the store: seals it, or keeps the name of its place if this process finds it
 * there. Adds a problem that does not repeat it.
 */
export function storeCredential(
  credential: string,
  account: StoredAccountFields,
  access: CredentialAccess,
  changedAt: number,
  problems: Problem[],
): StoredCredential | undefined {
  const { env, sealer } = access
  const problem = credentialProblem(credential, sealer.hasKey)
  if (problem) problems.push({ path: credentialPath, ...problem })
  if (problem) return undefined
  if (placeOfSecret(credential) !== 'literal') {
    const at = { ...access, path: credentialPath }
    const isThere = readReference(credential, account, at, problems) !== undefined
    return isThere ? { reference: credential, changedAt } : undefined
  }
  if (account.googleAuth !== undefined) {
    const fault = googleFault(credential)
    if (fault) problems.push({ path: credentialPath, ...fault })
    if (fault) return undefined
  } else if (resolveSecret(credential, credentialPath, env, problems) === undefined)
    return undefined
  return { sealed: sealer.seal(credential, credentialSubject(account)), changedAt }
}

const maskedFix = 'give the whole credential; an update without one keeps the present credential'

function credentialProblem(credential: string, hasKey: boolean): Omit<Problem, 'path'> | undefined {
  if (credential === '') {
    return { message: 'is empty', fix: 'leave it out, or write null for an account without one' }
  }
  if (credential.length > longestCredential) {
    return { message: 'is too long', fix: `use at most ${longestCredential} characters` }
  }
  if (placeOfSecret(credential) !== 'literal') return undefined
  if (credential === secretMask || /\*{3}|\.{3}|…|•/.test(credential)) {
    return { message: 'is masked', fix: maskedFix }
  }
  if (hasKey) return undefined
  return {
    message: 'cannot be sealed: the processes on this store share no key',
    fix: 'set DRAGOMAN_SECRET_KEY to the same `openssl rand -base64 32` for all of them, or name the place of the credential: env:NAME or file:/path',
  }
}
