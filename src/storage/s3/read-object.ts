import { request } from 'undici'

import { GatewayError } from '../../contract/errors.ts'
import type { OpenedFile } from '../../contract/files.ts'
import { unknownFile } from '../failures.ts'

/** Silence after which a provider is given up, in milliseconds. */
const silenceMs = 30_000

/** Reads by a signed URL. No error has it: whoever sees it could read the file too. */
export async function readS3Object(url: string): Promise<OpenedFile> {
  const { statusCode, headers, body } = await ask(url)
  const size = Number(headers['content-length'])
  if (statusCode === 200 && Number.isInteger(size)) {
    const type = headers['content-type']
    return { stream: body, size, type: typeof type === 'string' ? type : undefined }
  }
  // Nobody is interested in the rest, nor in how it ends.
  body.on('error', () => {}).destroy()
  if (statusCode === 404) throw unknownFile()
  throw statusCode === 403 ? refused() : unreachable(new Error(`It answered ${statusCode}.`))
}

async function ask(url: string) {
  try {
    return await request(url, { headersTimeout: silenceMs, bodyTimeout: silenceMs })
  } catch (error) {
    throw unreachable(new Error((error as Error).message.replaceAll(url, 'the storage')))
  }
}

/** Without the right to list, S3 refuses what is not there as well: nobody can tell which it is. */
function refused(): GatewayError {
  return new GatewayError(
    'storage_unavailable',
    'The storage of this file does not hand it out: it is not there, or the gateway may not read it.',
    { status: 502, retry: false },
  )
}

function unreachable(cause: Error): GatewayError {
  const message = 'The storage of this file cannot be read at the moment.'
  return new GatewayError('storage_unavailable', message, { cause })
}
