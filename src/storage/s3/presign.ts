import { AwsV4Signer } from 'aws4fetch'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of credentials that are lent for a while. */
  readonly sessionToken?: string | undefined
}

export interface PresignOptions extends Credentials {
  readonly method: 'GET' | 'PUT'
  /** With the path encoded. */
  readonly url: string
  readonly region: string
  /** What has to be sent with the request, in small letters. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly signedAt: number
  readonly lifetimeSeconds: number
}

/** A URL as the official SDK signs it (AWS Signature Version 4 in the query). */
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
    // The signer leaves out type and length unless it is told to sign all there is.
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
