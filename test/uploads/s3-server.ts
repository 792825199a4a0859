import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server extends AsyncDisposable {
  readonly url: string
  /** By bucket and key, decoded. */
  readonly objects: ReadonlyMap<string, StoredObject>
  /** What each request was answered. */
  readonly answers: readonly string[]
}

export interface StoredObject {
  readonly bytes: Buffer
  readonly type: string | undefined
}

export interface S3ServerOptions {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Refusal = [status: number, code: string]

/**
 * An S3 that takes pre-signed URLs with the bucket in the path, and checks each as the documentation
 * of Signature Version 4 has it, with no code of the gateway's or its libraries'.
 */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const objects = new Map<string, StoredObject>()
  const answers: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const [status, body, headers = {}] = answer(request, Buffer.concat(chunks))
        answers.push(`${request.method} ${status}`)
        response.writeHead(status, headers).end(body)
      })
  })

  function answer(
    request: IncomingMessage,
    bytes: Buffer,
  ): [number, Buffer | string, Record<string, string>?] {
    const refusal = refuse(request, options)
    if (refusal) return [refusal[0], `<Error><Code>${refusal[1]}</Code></Error>`]
    const key = decodeURIComponent(splitTarget(request).path).slice(1)
    const known = objects.get(key)
    if (request.method === 'PUT') {
      if (known && request.headers['if-none-match'] === '*') return [412, 'PreconditionFailed']
      objects.set(key, { bytes, type: request.headers['content-type'] })
      return [200, '']
    }
    if (!known) return [404, '<Error><Code>NoSuchKey</Code></Error>']
    const { type = 'binary/octet-stream' } = known
    const length = String(known.bytes.length)
    return [200, known.bytes, { 'content-type': type, 'content-length': length }]
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function splitTarget({ url = '' }: IncomingMessage): { path: string; query: string[] } {
  const [path = '', query = ''] = url.split('?')
  return { path, query: query.split('&') }
}

function refuse(request: IncomingMessage, options: S3ServerOptions): Refusal | undefined {
  const { path, query } = splitTarget(request)
  const parameters = new Map(
    query.map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]),
  )
  const read = (name: string) => parameters.get(name) ?? ''
  const [accessKeyId, day, region, service, ending] = read('X-Amz-Credential').split('/')
  if (read('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256' || ending !== 'aws4_request') {
    return [400, 'AuthorizationQueryParametersError']
  }
  if (accessKeyId !== options.accessKeyId) return [403, 'InvalidAccessKeyId']
  const date = read('X-Amz-Date')
  const signedAt = Date.parse(
    date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!date.startsWith(day ?? '-') || Number.isNaN(signedAt)) return [400, 'InvalidDate']
  const age = options.now() - signedAt
  if (age < -60_000 || age > Number(read('X-Amz-Expires')) * 1_000) return [403, 'AccessDenied']

  const canonicalQuery = query.filter((pair) => !pair.startsWith('X-Amz-Signature='))
  const signedHeaders = read('X-Amz-SignedHeaders')
  const headers = signedHeaders.split(';')
  if (!headers.includes('host')) return [403, 'AccessDenied']
  const values = headers.map((name) => request.headers[name])
  if (values.includes(undefined)) return [403, 'SignatureDoesNotMatch']
  const canonical = [
    request.method,
    path,
    canonicalQuery.toSorted(byBytes).join('&'),
    ...headers.map((name, index) => `${name}:${String(values[index]).trim()}`),
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, hash].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (outer, part) => hmac(outer, part ?? ''),
    `AWS4${options.secretAccessKey}`,
  )
  const expected = hmac(key, text).toString('hex')
  return read('X-Amz-Signature') === expected ? undefined : [403, 'SignatureDoesNotMatch']
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
