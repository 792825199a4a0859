import type { ServerResponse } from 'node:http'

import type { AdminLimits } from '../limits.ts'
import type { HttpError } from './http-error.ts'

/** A body in JSON, as text, or why it is not taken. */
type Body = { readonly text: string } | { readonly httpError: HttpError }

/**
 * Reads a body in JSON. One that says that it is too large is refused before it is read, any other as
 * soon as it is. Rejects if the client leaves.
 */
export async function readJson(response: ServerResponse, limits: AdminLimits): Promise<Body> {
  const { req: request } = response
  const { headers } = request
  if (!isJson(headers['content-type']))
    return failed(415, 'UNSUPPORTED_MEDIA_TYPE', 'The content-type is `application/json`.')
  if (headers['content-encoding'] !== undefined)
    return failed(415, 'UNSUPPORTED_MEDIA_TYPE', 'A body is not compressed here.')
  if (Number(headers['content-length'] ?? 0) > limits.bodyBytes) return tooLarge(limits)
  if (headers.expect !== undefined) response.writeContinue()
  const timer = AbortSignal.timeout(limits.bodyMs)
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const end = (body: Body) => {
      request.removeAllListeners('data').pause()
      timer.removeEventListener('abort', late)
      resolve(body)
    }
    const late = () => end(failed(408, 'TOO_SLOW', 'The body did not arrive in time.'))
    timer.addEventListener('abort', late)
    request
      .on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > limits.bodyBytes) end(tooLarge(limits))
        else chunks.push(chunk)
      })
      .once('end', () => end({ text: Buffer.concat(chunks).toString() }))
      .once('close', () => reject(new Error('The client left.')))
      .once('error', reject)
  })
}

/** Parameters other than the charset say nothing; another charset is not JSON (RFC 8259 section 8.1). */
function isJson(type = ''): boolean {
  const [essence = '', ...parameters] = type.toLowerCase().split(';')
  if (essence.trim() !== 'application/json') return false
  return parameters.every((one) => !/^\s*charset\s*=/.test(one) || /=\s*"?utf-?8"?\s*$/.test(one))
}

function tooLarge({ bodyBytes }: AdminLimits): Body {
  return failed(413, 'BODY_TOO_LARGE', `A body has at most ${bodyBytes} bytes.`)
}

function failed(status: number, code: string, message: string): Body {
  return { httpError: { status, code, message } }
}
