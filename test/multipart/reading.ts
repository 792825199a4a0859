import { Readable } from 'node:stream'

import type { ClientRequest } from '../../src/contract/request.ts'
import { type FormReadingLimits, readForm } from '../../src/body/form/read-form.ts'
import { Spool } from '../../src/body/spool/spool.ts'
import { type Ticker, createTicker } from '../../src/lib/ticker.ts'
import { boundary, roomy } from './forms.ts'

export interface ReadOptions {
  readonly headers?: Record<string, string>
  readonly limits?: Partial<FormReadingLimits>
  readonly spool?: Spool
  readonly ticker?: Ticker
}

export function openSpool(spoolBytes = 64 * 1024 * 1024): Spool {
  return new Spool({ spoolBytes })
}

/** Reads a form that comes in these chunks, as the gateway does. Disposing gives its space back. */
export async function read(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { headers = {}, limits = {}, spool = openSpool(), ticker = createTicker(20) }: ReadOptions = {},
) {
  const all = { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers }
  const request = { headers: all, stream: Readable.from(chunks, { objectMode: false }) }
  try {
    const { form, spooled } = await readForm(
      request as unknown as ClientRequest,
      { ...roomy, requestBodyMs: 10_000, bodyBytesPerSecond: 1, ...limits },
      ticker,
      { spool, keyId: 'team' },
    )
    return { form, spool, [Symbol.dispose]: () => spooled[Symbol.dispose]() }
  } finally {
    ticker.close()
  }
}

/** All bytes of a stream. */
export async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
