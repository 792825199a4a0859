import { request } from 'undici'

import { GatewayError } from '../../contract/errors.ts'
import type { OpenedFile } from '../../contract/files.ts'
import { unknownFile } from '../failures.ts'

/** The longest pause of a provider, in milliseconds. */
const silenceMs = 30_000

/** Opens an object by its signed URL. Errors never contain the URL, which gives access to the file. */
export async function readS3Object(url: string): Promise<OpenedFile> {
  const { statusCode, headers, body } = await ask(url)
  const size = Number(headers['content-length'])
  if (statusCode === 200 && Number.isInteger(size)) {
    const type = headers['content-type']
    return { stream: body, size, type: typeof type === 'string' ? type : undefined }
  }
  // The rest of the body and its errors are irrelevant.
  body.on('error', () => {}).destroy()
  if (statusCode === 404) throw unknownFile()
  throw statusCode === 403
    ? accessDenied()
    : unreachable(new Error(`The provider replied with status ${statusCode}.`))
}

async function ask(url: string) {
  try {
    return await request(url, { headersTimeout: silenceMs, bodyTimeout: silenceMs })
  } catch (error) {
    throw unreachable(new Error((error as Error).message.replaceAll(url, 'the storage')))
  }
}

/** The error for a 403: without permission to list, S3 also sends it for missing objects. */
function accessDenied(): GatewayError {
  return new GatewayError(
    'storage_unavailable',
    'The storage refuses access to this file: it does not exist, or the gateway may not read it.',
    { status: 502, retry: false },
  )
}

function unreachable(cause: Error): GatewayError {
  const message = 'The storage of this file cannot be read at the moment.'
  return new GatewayError('storage_unavailable', message, { cause })
}
