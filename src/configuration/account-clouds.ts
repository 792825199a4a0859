import { z } from 'zod'

import type { AccountSetting, AwsSetting } from '../contract/account.ts'
import type { Problem } from '../contract/problems.ts'
import { defined, isObject } from '../lib/json/object.ts'
import type { ReferenceContext } from './account-connection.ts'
import { isHttpUrl } from './endpoints.ts'
import { expects, optional, required, secret } from './schema-nodes.ts'
import { findSecret, resolveSecret } from './secrets.ts'

/** A part of a path or a host. */
const name = (example: string) =>
  z
    .string()
    .regex(/^[\w][\w.:-]{0,127}$/)
    .meta(expects('letters, digits and ._:-', example))

const path = z.string().regex(/^\//).meta(expects('an absolute path', '/var/run/secrets/token'))

/** The schema of `entra`. Which of its members go together is checked apart, for one problem in place of several. */
const entraSchema = z
  .strictObject({
    tenantId: optional(
      name('00000000-0000-0000-0000-000000000000'),
      'The tenant.',
      'only with `managedIdentity`',
    ),
    clientId: optional(
      name('00000000-0000-0000-0000-000000000000'),
      'The application, or one of the identities that the machine has been given.',
      'the only identity of the machine',
    ),
    clientSecret: optional(secret, 'A secret of the application.', 'another proof takes its place'),
    federatedTokenFile: optional(
      path,
      'A file with a token of another issuer, such as the one of Kubernetes. It is read each time.',
      'another proof takes its place',
    ),
    managedIdentity: optional(
      z.literal(true).meta(expects('true', true)),
      'The identity of the virtual machine, App Service or Container App on which the gateway runs.',
      'another proof takes its place',
    ),
    authority: optional(
      z
        .string()
        .refine(isHttpUrl)
        .meta({ ...expects('an http(s) URL', 'https://login.microsoftonline.us'), url: true }),
      'Where tokens come from.',
      '`https://login.microsoftonline.com`',
    ),
  })
  .meta(
    expects(
      'tenantId, clientId and one of clientSecret and federatedTokenFile, or managedIdentity: true',
      { managedIdentity: true },
    ),
  )

/** The schema of `googleAuth`. */
const googleAuthSchema = z
  .strictObject({
    file: optional(
      path,
      'A file of credentials: of a service account, or of workload identity federation. Its `token_uri` counts.',
      '`json` takes its place',
    ),
    json: optional(
      secret,
      'The content of such a file: `env:NAME` or `file:/path`.',
      '`file` takes its place',
    ),
  })
  .meta(expects('an object with file or json', { file: '/etc/gateway/service-account.json' }))

/** The schema of `aws`. */
const awsSchema = z
  .strictObject({
    accessKeyId: optional(secret, 'The id of an access key.', 'the identity of the machine'),
    secretAccessKey: optional(secret, 'The secret access key.', 'the identity of the machine'),
    sessionToken: optional(
      secret,
      'The session token of temporary keys.',
      'the keys are permanent',
    ),
    profile: optional(
      name('production'),
      'A profile of the files of AWS, in place of keys.',
      'the identity of the machine',
    ),
  })
  .meta(expects('accessKeyId and secretAccessKey, or profile', { profile: 'production' }))

/**
 * The same for accounts of the store: their one secret is the credential, and the identity of the machine is not for
 * them, since they choose where it would be sent.
 */
export const storedCloudSettings = {
  entra: entraSchema
    .omit({ clientSecret: true, federatedTokenFile: true, managedIdentity: true })
    .optional(),
  googleAuth: z.strictObject({}).meta(expects('an empty object', {})).optional(),
  aws: z
    .strictObject({ accessKeyId: name('AKIA...') })
    .meta(expects('an object with accessKeyId', { accessKeyId: 'AKIA...' }))
    .optional(),
}

/** The settings of accounts of clouds. */
export const cloudSettings = {
  entra: optional(
    entraSchema,
    'A token of Microsoft Entra in place of `apiKey`, for `azure`: [Providers](providers.md#azure).',
  ),
  googleAuth: optional(
    googleAuthSchema,
    'A token of Google Cloud in place of `apiKey`, for `vertex`: [Providers](providers.md#vertex).',
    'application default credentials of the machine, for `vertex` without `apiKey`',
  ),
  aws: optional(
    awsSchema,
    'Keys of AWS, which sign requests, in place of `apiKey`, for `bedrock`: [Providers](providers.md#bedrock).',
    'the credentials of the machine, for `bedrock` without `apiKey`',
  ),
  apiVersion: optional(
    name('2024-10-21'),
    'The dated API of `azure`, with deployments in its paths.',
    'the `v1` API',
  ),
  project: optional(
    name('my-project'),
    'The project of a `vertex` account.',
    'only with an `apiKey` of the express mode',
  ),
  location: optional(
    name('europe-west4'),
    'The location of a `vertex` account: a region, `global`, `us` or `eu`.',
    '`global`',
  ),
  region: optional(name('eu-central-1'), 'The region of an account at AWS.', 'none'),
  anthropicVersion: optional(
    name('vertex-2023-10-16'),
    "`anthropic_version` of requests for Claude at a cloud, in place of the client's. At `bedrock` it chooses InvokeModel: [Providers](providers.md#bedrock).",
    "the cloud's",
  ),
  guardrail: optional(
    z
      .strictObject({
        id: required(
          z.string().min(1).meta(expects('the id of a guardrail', 'gr-1')),
          'The id of the guardrail.',
        ),
        version: required(
          z.string().min(1).meta(expects('its version', 'DRAFT')),
          'Its version, or `DRAFT`.',
        ),
      })
      .meta(expects('an object with id and version', { id: 'gr-1', version: '1' })),
    'A guardrail of AWS for all requests of the account.',
    'none',
  ),
}

type WrittenClouds = Pick<AccountSetting, 'entra' | 'googleAuth' | 'aws'>

/** The settings of clouds with their secrets in place of the names of places. */
interface ResolvedClouds extends WrittenClouds {
  readonly secrets: readonly string[]
}

/** Reads the secrets of the settings of clouds, and checks which go together. Adds problems. */
export function resolveClouds(
  { entra, googleAuth, aws }: WrittenClouds,
  context: ReferenceContext,
): ResolvedClouds {
  const { path: at, environment, problems } = context
  const secrets: string[] = []
  let read: ResolvedClouds = { secrets }
  if (entra) {
    const given = entra.clientSecret
    const found =
      given === undefined
        ? undefined
        : resolveSecret(given, `${at}.entra.clientSecret`, environment, problems)
    if (found !== undefined) secrets.push(found)
    const fault = entraFault(entra)
    if (fault !== undefined) problems.push({ path: `${at}.entra`, message: fault, fix: entraFix })
    read = {
      ...read,
      entra: { ...entra, ...(given !== undefined && defined({ clientSecret: found })) },
    }
  }
  if (googleAuth) {
    const { json } = googleAuth
    if ((json === undefined) === (googleAuth.file === undefined)) {
      problems.push({
        path: `${at}.googleAuth`,
        message: 'needs one of file and json',
        fix: "write file: '/path', or leave googleAuth out for the credentials of the machine",
      })
    }
    const found = json === undefined ? undefined : findSecret(json, environment, mostBytes)
    if (found && 'message' in found) problems.push({ path: `${at}.googleAuth.json`, ...found })
    const text = found && 'secret' in found ? found.secret : undefined
    if (text !== undefined) {
      const inside = secretsOfGoogle(text)
      if (inside) secrets.push(...inside)
      else problems.push({ path: `${at}.googleAuth.json`, ...noCredentials })
    }
    read = { ...read, googleAuth: text === undefined ? googleAuth : { json: text } }
  }
  if (aws) {
    const found = Object.entries(aws).map(([member, given]): [string, string | undefined] =>
      member === 'profile'
        ? [member, given as string]
        : [member, resolveSecret(given as string, `${at}.aws.${member}`, environment, problems)],
    )
    const keys = defined(Object.fromEntries(found))
    const { secretAccessKey, sessionToken } = keys
    for (const one of [secretAccessKey, sessionToken]) if (one !== undefined) secrets.push(one)
    if (!isWholeAws(aws)) problems.push({ path: `${at}.aws`, ...incompleteAws })
    read = { ...read, aws: keys }
  }
  return read
}

/** Whether there is a profile, or a pair of keys. */
function isWholeAws({ accessKeyId, secretAccessKey, sessionToken, profile }: AwsSetting): boolean {
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined
  const hasAny = [accessKeyId, secretAccessKey, sessionToken].some((one) => one !== undefined)
  return profile === undefined ? hasKeys : !hasAny
}

const incompleteAws = {
  message: 'needs accessKeyId and secretAccessKey, or profile',
  fix: 'write both keys or a profile, or leave aws out for the credentials of the machine',
}

/** A file of credentials has some thousand bytes. */
const mostBytes = 64 * 1024

const noCredentials = {
  message: 'is no JSON of Google credentials',
  fix: 'give the content of the file that Google Cloud has made',
}

/** The members of Google credentials that are secrets; `undefined` if the text is none. */
export function secretsOfGoogle(text: string): readonly string[] | undefined {
  try {
    const json: unknown = JSON.parse(text)
    if (!isObject(json) || typeof json['type'] !== 'string') return undefined
    const members = ['private_key', 'client_secret', 'refresh_token'].map((one) => json[one])
    return members.filter((one) => typeof one === 'string')
  } catch {
    return undefined
  }
}

/** Why a credential of the store cannot be one of Google Cloud: other types name files and addresses to be read. */
export function googleFault(text: string): Omit<Problem, 'path'> | undefined {
  if (!secretsOfGoogle(text)) return noCredentials
  const { type } = JSON.parse(text) as { type: string }
  if (type === 'service_account') return undefined
  return {
    message: 'is no service account',
    fix: 'name credentials of other types in the configuration',
  }
}

const entraFix =
  'write tenantId, clientId and one of clientSecret and federatedTokenFile, or managedIdentity: true'

function entraFault({
  tenantId,
  clientId,
  clientSecret,
  federatedTokenFile,
  managedIdentity,
}: NonNullable<AccountSetting['entra']>): string | undefined {
  const proofs = [clientSecret, federatedTokenFile, managedIdentity].filter(
    (one) => one !== undefined,
  )
  if (proofs.length !== 1)
    return 'needs one of clientSecret, federatedTokenFile and managedIdentity'
  const isWhole = managedIdentity || (tenantId !== undefined && clientId !== undefined)
  return isWhole ? undefined : 'needs tenantId and clientId'
}
