import { randomBytes } from 'node:crypto'

import { GatewayError } from '../../contract/errors.ts'
import type { PublicUrl } from '../../kit/public-url.ts'
import { encodePath } from '../paths.ts'
import type { Signer } from '../signer.ts'

/** Where the gateway itself takes and hands out files. */
export const storedPattern = '/v1/files/stored/{storage}/{owner}/{path*}'

/** What a signed URL allows its holder. */
export interface Grant {
  readonly method: 'GET' | 'PUT'
  readonly owner: string
  readonly path: string
  /** Milliseconds since 1970; whole seconds are signed. */
  readonly expiresAt: number
  /** Of a `PUT`. */
  readonly maxBytes?: number | undefined
  readonly type?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** A request by a signed URL. */
export interface Presented {
  readonly method: 'GET' | 'PUT'
  readonly owner: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
}

/** A grant, and the signature by which it can be told from others. */
export interface Verified extends Grant {
  readonly signature: string
}

export interface LocalUrls {
  write(grant: Grant): Promise<string>
  /** Throws `GatewayError` 403 where this gateway has not signed it, or its time is over. */
  read(presented: Presented): Promise<Verified>
}

export interface LocalUrlsOptions {
  /** The storage's name. */
  readonly name: string
  readonly signer: Signer
  readonly publicUrl: PublicUrl
  readonly now: () => number
  /** What to do once a URL has expired, as the end of a sentence. Absent: what uploads need. */
  readonly renewal?: string
}

/** URLs of a local storage. Everything in them is signed, so that nobody can make another of one. */
export function createLocalUrls({
  name,
  signer,
  publicUrl,
  now,
  renewal = 'ask POST /v1/files/upload_url for another.',
}: LocalUrlsOptions): LocalUrls {
  return {
    async write(grant) {
      const query = toQuery(grant)
      query.set('signature', await signer.sign(fieldsOf(name, grant.method, grant, query)))
      const address = `/v1/files/stored/${name}/${grant.owner}/${encodePath(grant.path)}`
      return publicUrl.of(`${address}?${query}`)
    },
    async read(presented) {
      const query = new URLSearchParams(presented.query)
      const signature = query.get('signature') ?? ''
      const fields = fieldsOf(name, presented.method, presented, query)
      if (!(await signer.verify(fields, signature))) throw notSigned()
      const expiresAt = Number(query.get('expires')) * 1_000
      if (!(now() < expiresAt)) throw expired(renewal)
      const { method, owner, path } = presented
      const max = query.get('max')
      return {
        method,
        owner,
        path,
        expiresAt,
        maxBytes: max === null ? undefined : Number(max),
        type: query.get('type') ?? undefined,
        overwrite: query.has('overwrite'),
        signature,
      }
    },
  }
}

const signedParameters = ['expires', 'max', 'type', 'overwrite'] as const

function toQuery({ expiresAt, maxBytes, type, overwrite }: Grant): URLSearchParams {
  const query = new URLSearchParams({ expires: String(Math.floor(expiresAt / 1_000)) })
  if (maxBytes !== undefined) query.set('max', String(maxBytes))
  if (type !== undefined) query.set('type', type)
  if (overwrite) query.set('overwrite', nonce())
  return query
}

/** Such a URL is good for one use, so that no two may be the same. */
function nonce(): string {
  return randomBytes(12).toString('base64url')
}

/** A parameter that is absent is not the same as an empty one. */
function fieldsOf(
  name: string,
  method: string,
  { owner, path }: Pick<Grant, 'owner' | 'path'>,
  query: URLSearchParams,
): string[] {
  const parameters = signedParameters.map((parameter) => {
    const value = query.get(parameter)
    return value === null ? '' : `${parameter}=${value}`
  })
  return [method, name, owner, path, ...parameters]
}

function notSigned(): GatewayError {
  return new GatewayError(
    'url_signature_invalid',
    'The signature of this URL does not fit: use it as it was given out, with the method it is for.',
  )
}

function expired(renewal: string): GatewayError {
  return new GatewayError('url_expired', `The time of this URL is over; ${renewal}`)
}
