import type { Readable } from 'node:stream'

import { GatewayError } from '../../contract/errors.ts'

/** How long the rest of a refused body is read, in milliseconds, so that the client gets the error. */
const maxDrainMs = 5_000

/**
 * Reads a request body. Throws `GatewayError` 408 after `silenceMs` milliseconds without data, 499 if
 * the connection closes. It never destroys the stream, so that the connection can carry a reply.
 */
export async function* readBodyWithTimeout(
  stream: Readable,
  silenceMs: number,
): AsyncGenerator<Buffer> {
  if (stream.destroyed) throw bodyCutOff()
  const pieces = stream.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await withTimeout(pieces.next(), silenceMs)
      if (done) return
      yield value as Buffer
    }
  } finally {
    // Not awaited: it resolves only after the pending read, which may never end.
    pieces.return?.().catch(() => {})
  }
}

/** Reads and drops the rest of a body; destroys the stream if that takes too long. */
export function drainBody(stream: Readable): void {
  if (stream.destroyed || stream.readableEnded) return
  const timer = setTimeout(() => stream.destroy(), maxDrainMs).unref()
  const done = () => clearTimeout(timer)
  stream.on('end', done).on('close', done).on('error', done).resume()
}

async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timedOut()), ms)
  })
  try {
    return await Promise.race([promise.catch(() => Promise.reject(bodyCutOff())), silence])
  } finally {
    clearTimeout(timer)
  }
}

function timedOut(): GatewayError {
  return new GatewayError('request_timeout', 'The request body did not arrive in time.')
}

function bodyCutOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The request body was cut off.')
}
