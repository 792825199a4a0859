import type { Readable } from 'node:stream'

import { GatewayError } from '../../contract/errors.ts'

/** How long what is left of a refused body is swallowed, so that its sender can read why. */
const lingerMs = 5_000

/**
 * The pieces of a request's body. Throws `GatewayError` where it falls silent or breaks off. However
 * it ends, the connection is still there to be answered on.
 */
export async function* readPatiently(stream: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  if (stream.destroyed) throw brokenOff()
  const pieces = stream.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const { done, value } = await within(pieces.next(), silenceMs)
      if (done) return
      yield value as Buffer
    }
  } finally {
    // Not awaited: it comes after the piece that is being waited for, which may never come.
    pieces.return?.().catch(() => {})
  }
}

/** The rest of a body that nobody wants. A sender who goes on for long is cut off. */
export function linger(stream: Readable): void {
  if (stream.destroyed || stream.readableEnded) return
  const timer = setTimeout(() => stream.destroy(), lingerMs).unref()
  const done = () => clearTimeout(timer)
  stream.on('end', done).on('close', done).on('error', done).resume()
}

async function within<T>(asked: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(silent()), ms)
  })
  try {
    return await Promise.race([asked.catch(() => Promise.reject(brokenOff())), silence])
  } finally {
    clearTimeout(timer)
  }
}

function silent(): GatewayError {
  return new GatewayError('request_timeout', 'The body did not arrive.')
}

function brokenOff(): GatewayError {
  return new GatewayError('client_closed_request', 'The body broke off.')
}
