import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Account } from '../accounts.ts'
import { Problem } from '../problem.ts'

/** The id of the access key of an account, whose secret is the account's key. */
function accessKeyOf({ id }: { id: string }): string {
  return `AKIASANDBOX${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`
}

type SignedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: Buffer }

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

/** Whether a request is signed with a key of AWS. */
export function isSigned({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') === true
}

/** The longest that a signature may be old, or ahead of time, in milliseconds. */
const longestSkewMs = 5 * 60_000

/** The account that has signed a request for this service. Throws AWS's error for a wrong signature. */
export function accountOfSignature(
  request: SignedRequest,
  service: string,
  accounts: Account[],
): Account {
  const { headers, body } = request
  const [, accessKey, date = '', region = '', signedFor, names = '', signature = ''] =
    form.exec(headers.authorization ?? '') ?? []
  const account = accounts.find((one) => accessKeyOf(one) === accessKey)
  if (!account)
    throw refused('The security token included in the request is invalid.', 'UnrecognizedClient')
  const time = String(headers['x-amz-date'])
  if (signedFor !== service)
    throw refused(`Credential should be scoped to correct service: '${service}'.`)
  if (!time.startsWith(date) || Math.abs(Date.now() - timeOf(time)) > longestSkewMs)
    throw refused('Signature expired or not yet current.')
  const signed = names.split(';')
  const needed = ['host', 'x-amz-date', ...(headers['content-type'] ? ['content-type'] : [])]
  const missing = needed.find((name) => !signed.includes(name))
  if (missing) throw refused(`'${missing}' must be a signed header.`, 'IncompleteSignature')
  if (headers['x-amz-security-token'] && !signed.includes('x-amz-security-token'))
    throw refused('The session token must be signed.', 'IncompleteSignature')
  const scope = `${date}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, digest(canonical(request, signed, body))]
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (before, part) => hmac(before, part),
    Buffer.from(`AWS4${account.key}`),
  )
  const expected = hmac(key, text.join('\n'))
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex')))
    throw refused(
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
    )
  return account
}

function canonical(
  { method, url, headers }: SignedRequest,
  signed: string[],
  body: Buffer,
): string {
  const [path = '', query = ''] = (url ?? '').split('?', 2)
  const lines = signed.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replaceAll(/\s+/g, ' ')}`,
  )
  return [
    method,
    // The path is encoded once more.
    path.split('/').map(encode).join('/'),
    [...new URLSearchParams(query)]
      .map((pair) => pair.map(encode).join('='))
      .sort()
      .join('&'),
    ...lines,
    '',
    signed.join(';'),
    digest(body),
  ].join('\n')
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function timeOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function refused(message: string, name = 'InvalidSignature'): Problem {
  return new Problem(403, message, { code: `${name}Exception` })
}
