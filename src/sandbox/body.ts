import type { IncomingMessage } from 'node:http'
import { type JsonObject, isObject } from './json.ts'
import { Problem, badRequest } from './problem.ts'
import type { Provider } from './provider.ts'

const maxBytes = 64 * 1024 * 1024

/** Reads the whole body. Throws a 413 beyond 64 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // The loop must not destroy the connection: the 413 is still to be sent on it.
  const parts: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false })
  for await (const chunk of parts) {
    size += chunk.length
    if (size > maxBytes) throw new Problem(413, 'Request exceeds the maximum size')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Parses the body as a JSON object. Throws unless the content type is JSON. */
export function parseBody(request: IncomingMessage, body: Buffer, provider: Provider): JsonObject {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw provider.wrongContentType(contentType)
  const parsed = parse(body)
  if (!isObject(parsed)) throw badRequest('The body of the request must be a JSON object.')
  return parsed
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw badRequest('We could not parse the JSON body of your request.')
  }
}
