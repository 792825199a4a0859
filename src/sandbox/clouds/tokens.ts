import {
  createHmac,
  createPublicKey,
  createVerify,
  generateKeyPairSync,
  timingSafeEqual,
} from 'node:crypto'
import type { Account } from '../accounts.ts'
import { type JsonObject, isObject, textOf } from '../json.ts'

/** Who accepts a token. */
export type Audience = 'azure' | 'google'

/** How long tokens last, in seconds. */
const lifeS = 3_600

/** A token of an account for an audience. */
function issueToken({ id, key }: Account, audience: Audience, now = Date.now()): string {
  const claims = { sub: id, aud: audience, exp: Math.floor(now / 1_000) + lifeS }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `sandbox.${payload}.${proofOf(payload, key)}`
}

function proofOf(payload: string, key: string): string {
  return createHmac('sha256', `token.${key}`).update(payload).digest('base64url')
}

/** The account whose token this is; undefined for any other text, audience or time. */
export function accountOfToken(
  text: string,
  audience: Audience,
  accounts: readonly Account[],
): Account | undefined {
  const [, payload = '', proof = ''] = text.split('.')
  const claims = jsonOf(Buffer.from(payload, 'base64url').toString())
  const account = accounts.find(({ id }) => id === claims['sub'])
  if (!account || claims['aud'] !== audience || Number(claims['exp']) * 1_000 < Date.now())
    return undefined
  const [given, right] = [Buffer.from(proof), Buffer.from(proofOf(payload, account.key))]
  return given.length === right.length && timingSafeEqual(given, right) ? account : undefined
}

/** A reply of a token endpoint. */
type TokenReply = { status: number; json: JsonObject }

/** The reply of a token endpoint, or undefined for another path. */
export function answerToken(
  { method, url, headers, body }: TokenRequest,
  accounts: readonly Account[],
): TokenReply | undefined {
  const { pathname, searchParams } = url
  const form = new URLSearchParams(body)
  if (method === 'POST' && /^\/[^/]+\/oauth2\/v2\.0\/token$/.test(pathname))
    return ofApplication(form, accounts)
  if (method === 'GET' && pathname === '/metadata/identity/oauth2/token')
    return ofMachine(headers['metadata'], searchParams, accounts)
  if (method === 'POST' && pathname === '/google/token') return ofServiceAccount(form, accounts)
  const [, id] = /^\/google\/service-account\/([^/]+)\.json$/.exec(pathname) ?? []
  const account = accounts.find((one) => one.id === id)
  return method === 'GET' && account
    ? { status: 200, json: serviceAccountOf(account, url.origin) }
    : undefined
}

/** A request to a token endpoint. `url` has the origin that the client wrote. */
type TokenRequest = {
  method: string
  url: URL
  headers: NodeJS.Dict<string | string[]>
  body: string
}

function granted(account: Account, audience: Audience): TokenReply {
  const token = issueToken(account, audience)
  return {
    status: 200,
    json: { token_type: 'Bearer', expires_in: lifeS, access_token: token },
  }
}

function refused(error: string, description: string, status = 400): TokenReply {
  return { status, json: { error, error_description: description } }
}

/** Microsoft Entra: the secret of an application is the key of its account, and so is an assertion. */
function ofApplication(form: URLSearchParams, accounts: readonly Account[]): TokenReply {
  if (form.get('grant_type') !== 'client_credentials')
    return refused('unsupported_grant_type', 'AADSTS70003: The grant type is not supported.')
  if (!form.get('client_id'))
    return refused('invalid_request', "AADSTS900144: The body must contain 'client_id'.")
  if (form.get('scope') !== 'https://cognitiveservices.azure.com/.default')
    return refused('invalid_scope', 'AADSTS70011: The provided value for scope is not valid.')
  const secret = form.get('client_assertion') ?? form.get('client_secret')
  const account = accounts.find(({ key }) => key === secret)
  return account
    ? granted(account, 'azure')
    : refused('invalid_client', 'AADSTS7000215: Invalid client secret provided.', 401)
}

/** The metadata address of a virtual machine: its identity is the first account. */
function ofMachine(
  metadata: string | string[] | undefined,
  query: URLSearchParams,
  [account]: readonly Account[],
): TokenReply {
  if (metadata !== 'true' || !account)
    return refused('invalid_request', 'Required metadata header not specified')
  if (query.get('resource') !== 'https://cognitiveservices.azure.com')
    return refused('invalid_resource', 'AADSTS500011: The resource principal was not found.')
  const { status, json } = granted(account, 'azure')
  return { status, json: { ...json, expires_in: String(lifeS) } }
}

/** The key pairs of service accounts, by account: each is made when its file is first read. */
const keyPairs = new WeakMap<Account, { privateKey: string; publicKey: string }>()

function keyPairOf(account: Account) {
  let pair = keyPairs.get(account)
  if (!pair) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    keyPairs.set(account, (pair = { privateKey, publicKey }))
  }
  return pair
}

function emailOf({ id }: Account): string {
  return `${id}@sandbox.iam.gserviceaccount.com`
}

/** The file of a service account of Google Cloud, whose tokens come from this sandbox. */
function serviceAccountOf(account: Account, origin: string): JsonObject {
  return {
    type: 'service_account',
    project_id: 'sandbox',
    private_key_id: 'sandbox',
    private_key: keyPairOf(account).privateKey,
    client_email: emailOf(account),
    client_id: '1',
    token_uri: `${origin}/google/token`,
  }
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Google's token endpoint: an assertion that the key of the service account has signed, for an hour at most. */
function ofServiceAccount(form: URLSearchParams, accounts: readonly Account[]): TokenReply {
  if (form.get('grant_type') !== jwtBearer)
    return refused('unsupported_grant_type', 'Invalid grant_type')
  const [head = '', body = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const claims = jsonOf(Buffer.from(body, 'base64url').toString())
  const account = accounts.find((one) => emailOf(one) === claims['iss'])
  const [issued, ends] = [Number(claims['iat']), Number(claims['exp'])]
  const isValid =
    account &&
    ends - issued <= 3_600 &&
    ends * 1_000 > Date.now() &&
    textOf(claims['scope']).includes('cloud-platform') &&
    createVerify('RSA-SHA256')
      .update(`${head}.${body}`)
      .verify(createPublicKey(keyPairOf(account).publicKey), signature, 'base64url')
  return isValid ? granted(account, 'google') : refused('invalid_grant', 'Invalid JWT Signature.')
}

function jsonOf(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? json : {}
  } catch {
    return {}
  }
}
