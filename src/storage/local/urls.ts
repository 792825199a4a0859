import { randomBytes } from 'node:crypto'

import { GatewayError } from '../../contract/errors.ts'
import type { ReachedAt } from '../../contract/storage.ts'
import type { PublicUrl } from '../../kit/public-url.ts'
import { encodePath } from '../paths.ts'
import type { Signer } from '../signer.ts'

/** The path pattern of the gateway's own upload and download URLs. */
export const storedPattern = '/v1/files/stored/{storage}/{owner}/{path*}'

/** The permission that a signed URL grants. */
interface Grant {
  readonly method: 'GET' | 'PUT'
  readonly owner: string
  readonly path: string
  /** Milliseconds since 1970; whole seconds are signed. */
  readonly expiresAt: number
  /** The largest file of a `PUT`, in bytes. */
  readonly maxBytes?: number | undefined
  readonly type?: string | undefined
  readonly overwrite?: boolean | undefined
}

/** A request to a signed URL. */
export interface SignedRequest {
  readonly method: 'GET' | 'PUT'
  readonly owner: string
  readonly path: string
  /** The query without the question mark. */
  readonly query: string
}

/** A grant with its valid signature, which identifies the URL. */
export interface VerifiedGrant extends Grant {
  readonly signature: string
}

/** Signs and verifies the URLs of a local storage. */
interface LocalUrls {
  /** `request` is the one that gets the URL. */
  sign(grant: Grant, request?: ReachedAt): Promise<string>
  /** Rejects with `GatewayError` 403 if the signature is invalid or the URL has expired. */
  verify(request: SignedRequest): Promise<VerifiedGrant>
}

/** The options of signed URLs. */
interface LocalUrlsOptions {
  /** The storage's name. */
  readonly name: string
  readonly signer: Signer
  readonly publicUrl: PublicUrl
  readonly now: () => number
  /** How a client gets another URL, as the end of a sentence. Default: the advice for uploads. */
  readonly renewal?: string
}

/** Creates the URLs of a local storage. The signature covers method, storage, path and parameters. */
export function createLocalUrls({
  name,
  signer,
  publicUrl,
  now,
  renewal = 'request another one with POST /v1/files/upload_url.',
}: LocalUrlsOptions): LocalUrls {
  return {
    async sign(grant, request) {
      const query = toQuery(grant)
      query.set('signature', await signer.sign(fieldsOf(name, grant.method, grant, query)))
      const address = `/v1/files/stored/${name}/${grant.owner}/${encodePath(grant.path)}`
      return publicUrl.of(`${address}?${query}`, request)
    },
    async verify(request) {
      const query = new URLSearchParams(request.query)
      const signature = query.get('signature') ?? ''
      const fields = fieldsOf(name, request.method, request, query)
      if (!(await signer.verify(fields, signature))) throw notSigned()
      const expiresAt = Number(query.get('expires')) * 1_000
      if (!(now() < expiresAt)) throw urlExpired(renewal)
      const { method, owner, path } = request
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

/** Makes each URL unique, since a URL with `overwrite` is valid for one use. */
function nonce(): string {
  return randomBytes(12).toString('base64url')
}

/** The signed fields. An absent parameter differs from an empty one. */
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
    'The signature of this URL is invalid: use the URL unchanged, with the method that it was issued for.',
  )
}

function urlExpired(renewal: string): GatewayError {
  return new GatewayError('url_expired', `This URL has expired; ${renewal}`)
}
