import { z } from 'zod'

import type { AccountSetting } from '../contract/account.ts'
import type { Problem } from '../contract/problems.ts'
import type { Sealer } from '../stores/sealing.ts'
import {
  type StoredAccount,
  type StoredAccountFields,
  type StoredCredential,
  credentialSubject,
} from '../stores/stored-accounts.ts'
import { googleFault, secretsOfGoogle, storedCloudSettings } from './account-clouds.ts'
import { accountSchema } from './account-schema.ts'
import { completeAccount } from './check-accounts.ts'
import type { CredentialPlaces } from './credential-places.ts'
import { type EnvironmentVariables, findSecret, placeOfSecret, resolveSecret } from './secrets.ts'
import { checkShape } from './shape.ts'

/** An account of the store, as a process reads it. */
export interface ReadAccount {
  readonly id: string
  /** Absent: the record is damaged. */
  readonly record?: StoredAccount
  /** Absent: the account has problems. */
  readonly setting?: AccountSetting
  readonly problems: readonly Problem[]
}

/** The means to open credentials. */
export interface CredentialAccess {
  readonly env: EnvironmentVariables
  readonly sealer: Sealer
  /** Where credentials may be. */
  readonly places: CredentialPlaces
}

/**
 * The fields of an account that the store keeps: the configuration's fields, without prices, quotas and the fields
 * that contain secrets, name places, or decide who sees the credential on its way.
 */
export const storedFieldsSchema = accountSchema
  .omit({
    apiKey: true,
    headers: true,
    prices: true,
    quotas: true,
    proxy: true,
    ca: true,
    clientCertificate: true,
  })
  .extend(storedCloudSettings)

const text = (most: number) => z.string().min(1).max(most)
/** As a `Date` can hold it. */
const time = z.number().nonnegative().max(8.64e15)
/** As GraphQL's `Int` can hold it. */
const version = z.int().positive().max(2_147_483_647)

/** Other members belong to a newer version of the gateway, which this one could misunderstand. */
const recordSchema = z.strictObject({
  version,
  createdAt: time,
  changedAt: time,
  account: z.looseObject({ id: z.string(), provider: z.string(), baseUrl: z.string().optional() }),
  credential: z
    .union([
      z.strictObject({ changedAt: time, reference: text(4_096) }),
      z.strictObject({
        changedAt: time,
        sealed: z.strictObject({ key: text(64), nonce: text(64), box: text(131_072) }),
      }),
    ])
    .optional(),
})

/** Fields of records of former versions that have no effect any more. */
const formerFields = ['propagate']

/** Reads an account of the store. `value` is `undefined` for a record that the store cannot read. */
export function readStoredAccount(
  id: string,
  value: unknown,
  access: CredentialAccess,
): ReadAccount {
  const path = `accounts.${id}`
  const { data } = recordSchema.safeParse(value)
  if (!data || data.account.id !== id) return { id, problems: [damaged(path)] }
  for (const name of formerFields) delete data.account[name]
  // Checked just now. Only zod's type of the optional members differs.
  const record = data as StoredAccount
  const problems: Problem[] = []
  const fields = checkShape(storedFieldsSchema, record.account, path, problems)
  const { credential } = record
  const { forbidden } = access.places
  const apiKey = credential && openCredential(record.account, credential, access, problems)
  if (!fields || problems.length > 0) return { id, record, problems }
  return { id, record, setting: { ...settingOf(fields, apiKey), forbidden }, problems }
}

/** The setting of checked fields. Which kind of credential the secret is, they say. */
function settingOf(
  fields: Parameters<typeof completeAccount>[0],
  secret: string | undefined,
): AccountSetting {
  const setting = completeAccount(fields, undefined)
  const { entra, googleAuth, aws } = setting
  if (secret === undefined) return setting
  if (entra) return { ...setting, entra: { ...entra, clientSecret: secret }, secrets: [secret] }
  if (aws) return { ...setting, aws: { ...aws, secretAccessKey: secret }, secrets: [secret] }
  if (!googleAuth) return { ...setting, apiKey: secret }
  return { ...setting, googleAuth: { json: secret }, secrets: secretsOfGoogle(secret) ?? [] }
}

/** Opens a credential of the store. Adds a problem if that fails. */
function openCredential(
  account: StoredAccountFields,
  { sealed, reference }: StoredCredential,
  access: CredentialAccess,
  problems: Problem[],
): string | undefined {
  const path = `accounts.${account.id}.credential`
  if (reference !== undefined)
    return readReference(reference, account, { ...access, path }, problems)
  const { sealer } = access
  const opened = sealer.open(sealed, credentialSubject(account))
  if (opened.secret !== undefined) return opened.secret
  problems.push({ path, ...closed[opened.fault] })
  return undefined
}

/**
 * Reads the secret in a place that the store names. Adds a problem if the place is not permitted or has no
 * secret; it does not say which of the two it lacks, since viewers would learn which files exist.
 */
export function readReference(
  reference: string,
  account: StoredAccountFields,
  { env, places, path }: Pick<CredentialAccess, 'env' | 'places'> & { readonly path: string },
  problems: Problem[],
): string | undefined {
  const secret =
    referenceProblem(reference, account, places) ??
    (account.googleAuth === undefined
      ? resolveSecret(reference, path, env, [])
      : googleSecret(reference, env)) ??
    nothingThere
  if (typeof secret === 'string') return secret
  problems.push({ path, ...secret })
  return undefined
}

function googleSecret(reference: string, env: EnvironmentVariables): string | undefined {
  const found = findSecret(reference, env, mostBytes)
  return 'secret' in found && !googleFault(found.secret) ? found.secret : undefined
}

/** The most bytes of credentials of Google Cloud. */
const mostBytes = 64 * 1024

/** Why this account of the store may not name the place of this secret, which it sends to its address. */
function referenceProblem(
  reference: string,
  account: StoredAccountFields,
  places: CredentialPlaces,
): Omit<Problem, 'path'> | undefined {
  if (placeOfSecret(reference) === 'literal') {
    return {
      message: 'is a secret that is not sealed',
      fix: 'set the credential of the account again',
    }
  }
  if (places.permits(reference, account)) return undefined
  return {
    message: 'names a place that is not for credentials of this address',
    fix: 'name a place that admin.credentials of the configuration permits, and that no setting names for another purpose or address',
  }
}

const nothingThere = {
  message: 'names a place in which this process finds no secret',
  fix: 'see that the variable is set, or that this user can read the file; a secret has no spaces and no line breaks',
} as const satisfies Omit<Problem, 'path'>

const closed = {
  'unknown-key': {
    message: 'is sealed with a key that this process does not have',
    fix: 'add the key to DRAGOMAN_SECRET_KEY and restart, or set the credential of the account again',
  },
  changed: {
    message: 'does not open: its record was damaged, or moved from another account or address',
    fix: 'set the credential of the account again',
  },
} as const satisfies Record<string, Omit<Problem, 'path'>>

function damaged(path: string): Problem {
  return {
    path,
    message: 'has a damaged record in the store, or one of a newer version',
    fix: 'delete the account and create it again',
  }
}
