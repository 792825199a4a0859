import { AwsV4Signer } from 'aws4fetch'

/** The credentials of an S3 provider. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined
}

/** A URL to sign. */
interface PresignOptions extends Credentials {
  readonly method: 'GET' | 'PUT'
  /** The URL with its path encoded. */
  readonly url: string
  readonly region: string
  /** The headers that the request must send; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly signedAt: number
  readonly lifetimeSeconds: number
}

/** Signs a URL as the official SDK does (AWS Signature Version 4 in the query). */
export async function presign(options: PresignOptions): Promise<string> {
  const { url, method, region, headers = {}, signedAt, lifetimeSeconds } = options
  const { accessKeyId, secretAccessKey, sessionToken } = options
  const unsigned = new URL(url)
  unsigned.searchParams.set('X-Amz-Content-Sha256', 'UNSIGNED-PAYLOAD')
  unsigned.searchParams.set('X-Amz-Expires', String(lifetimeSeconds))
  unsigned.searchParams.set('x-id', method === 'PUT' ? 'PutObject' : 'GetObject')
  const signed = await new AwsV4Signer({
    method,
    url: unsigned.href,
    headers: { ...headers },
    // By default the signer leaves out the type and the length.
    allHeaders: true,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    service: 's3',
    region,
    signQuery: true,
    datetime: new Date(signedAt).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return signed.url.href
}
