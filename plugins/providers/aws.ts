import { createHash } from 'node:crypto'

import type { AwsV4Signer } from 'aws4fetch'

import type { AwsSetting } from '../../src/contract/account.ts'
import { type AccountCredential, CredentialFailure } from '../../src/contract/credential.ts'
import type { Outbound } from '../../src/contract/outbound.ts'
import { Renewed } from '../../src/kit/token-credential.ts'
import { computedOnce } from '../../src/lib/computed-once.ts'
import { within } from '../../src/lib/deadline.ts'
import { isThenable } from '../../src/lib/maybe-promise.ts'
import { isAwayError } from './away.ts'

/** The keys of an identity at AWS. */
interface Identity {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** Where requests are signed for. `serviceOf`: the service that a path belongs to. */
interface Place {
  readonly region: string
  serviceOf(path: string): string
}

/**
 * A credential that signs each request (AWS Signature Version 4). Without keys in the setting, the library of AWS finds
 * those of the machine or of the profile.
 */
export function awsCredential(setting: AwsSetting, place: Place): AccountCredential {
  const { accessKeyId, secretAccessKey, sessionToken, profile } = setting
  const own =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : { accessKeyId, secretAccessKey, sessionToken }
  let hasWorked = false
  const found = new Renewed(async () => {
    try {
      const identity = await findIdentity(profile, place.region)
      hasWorked = true
      return identity
    } catch (error) {
      throw failureOf(error, hasWorked)
    }
  })
  return {
    headers: ['authorization', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token'],
    get secrets() {
      return found.secrets
    },
    authorize(outbound, services) {
      const identity = own ?? found.take(services)
      return isThenable(identity)
        ? identity.then((fresh) => signed(outbound, fresh, place))
        : signed(outbound, identity, place)
    },
    refused: (status) => found.refused(status),
  }
}

/** The signing keys of each identity, which change each day. */
const signingKeys = computedOnce<Identity, Map<string, ArrayBuffer>>(() => new Map())

async function signed(
  outbound: Outbound,
  identity: Identity,
  { region, serviceOf }: Place,
): Promise<Outbound> {
  // The library is loaded where an account of this kind is asked.
  const { AwsV4Signer: Signer } = await import('aws4fetch')
  const { accessKeyId, secretAccessKey, sessionToken } = identity
  const { method, origin, path, headers, body } = outbound
  const type = headers['content-type']
  const signer: AwsV4Signer = new Signer({
    method,
    url: origin + path,
    // No others: what a proxy on the way adds or changes would break the signature.
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      'x-amz-content-sha256': await digestOf(body),
    },
    allHeaders: true,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: serviceOf(path),
    region,
    cache: signingKeys(identity),
  })
  const written = await signer.sign()
  return { ...outbound, headers: { ...headers, ...Object.fromEntries(written.headers) } }
}

async function digestOf(body: Outbound['body']): Promise<string> {
  const digest = createHash('sha256')
  if (Buffer.isBuffer(body)) digest.update(body)
  else if (body) for await (const piece of body.open()) digest.update(piece as Buffer)
  return digest.digest('hex')
}

/** Keys of the machine that do not end are looked for again after an hour: a file may have others. */
const usualLifeMs = 60 * 60_000

/** In milliseconds. */
const longestSearchMs = 10_000

async function findIdentity(profile: string | undefined, region: string) {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node')
  const chain = defaultProvider({
    ...(profile !== undefined && { profile }),
    clientConfig: { region },
    timeout: 2_000,
  })
  const { expiration, ...identity } = await within(longestSearchMs, chain(), late)
  const livesMs = expiration ? expiration.getTime() - Date.now() : usualLifeMs
  if (livesMs <= 0) throw ended()
  return {
    value: identity satisfies Identity,
    livesMs,
    secrets: [identity.secretAccessKey, identity.sessionToken ?? []].flat(),
  }
}

function late(): CredentialFailure {
  const message = 'The credentials of AWS are not there within ten seconds.'
  return new CredentialFailure('away', message, waiting)
}

function ended(): CredentialFailure {
  const message = 'The credentials of AWS that are found have ended.'
  return new CredentialFailure('refused', message, 'renew them, or check the clock of this machine')
}

const waiting = 'wait: the gateway tries it again by itself'

/** The library has asked each source that it knows. */
const nothingFound = /^Could not load credentials from any providers/

/**
 * Errors of the library may name anything: their texts are repeated nowhere. `hasWorked`: there were keys before, so that
 * their source is away.
 */
function failureOf(error: unknown, hasWorked: boolean): CredentialFailure {
  if (error instanceof CredentialFailure) return error
  const { $metadata, message } = Object(error) as Readonly<Record<string, unknown>>
  const status = Number((Object($metadata) as { httpStatusCode?: unknown }).httpStatusCode)
  const isLost = hasWorked && nothingFound.test(String(message))
  const isAway = isLost || status >= 500 || status === 429 || isAwayError(error)
  if (isAway) {
    const why = status >= 400 ? ` It answers with the status ${status}.` : ''
    return new CredentialFailure('away', `AWS gives no credentials.${why}`, waiting, {
      cause: error,
    })
  }
  if (status >= 400) {
    return new CredentialFailure(
      'refused',
      `AWS refuses credentials with the status ${status}.`,
      'check the role, its trust policy and the token that it wants',
      { cause: error },
    )
  }
  return new CredentialFailure(
    'refused',
    'No credentials of AWS are found, or they cannot be used.',
    'set aws or apiKey, a profile, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
    { cause: error },
  )
}
