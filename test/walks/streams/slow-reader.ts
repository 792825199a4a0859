import { type IncomingMessage, request, type ServerResponse } from 'node:http'

import type { TestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import type { Received } from './asking.ts'
import type { Form } from './forms.ts'

export interface SlowReader {
  readonly status: number
  /** Begins to read, and reads to the end. */
  read(): Promise<Received>
  leave(): void
}

/** A client that asks for a stream, waits for the headers, and then reads nothing until told to. */
export async function askWithoutReading(
  gateway: Pick<TestGateway, 'url' | 'key'>,
  form: Form,
): Promise<SlowReader> {
  const sent = request(gateway.url + form.path('m', true), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      ...form.headers,
    },
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
    sent.end(JSON.stringify(form.body('m', true)))
  })
  response.pause()
  return {
    status: response.statusCode ?? 0,
    read: () => readToEnd(response),
    leave: () => void sent.destroy(),
  }
}

async function readToEnd(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
    return { text: Buffer.concat(chunks).toString(), reset: false }
  } catch {
    return { text: Buffer.concat(chunks).toString(), reset: true }
  }
}

/** A frame of the form's output with a text of this many bytes. */
export function bigFrame({ output }: Form, bytes: number): string {
  return output[1]!.replace(' there', 'x'.repeat(bytes))
}

export interface Flood {
  /** Bytes handed to the connection so far. */
  written: number
  /** The connection takes no more for the time being. */
  blocked: boolean
  closed: boolean
}

/** Writes the same frame again and again, as fast as the other side takes it. */
export function flood(
  response: ServerResponse,
  frame: string | Buffer,
  { most = Infinity, onDone = () => {} }: { most?: number; onDone?: () => void } = {},
): Flood {
  const state: Flood = { written: 0, blocked: false, closed: false }
  const bytes = Buffer.from(frame as Buffer)
  const write = () => {
    state.blocked = false
    while (!state.closed && !state.blocked && state.written < most) {
      state.written += bytes.length
      state.blocked = !response.write(bytes)
    }
    if (state.written >= most) onDone()
  }
  response.on('drain', write)
  response.once('close', () => (state.closed = true))
  write()
  return state
}

/** Resolves when the connection has taken nothing for a while. */
export async function untilStuck(flood: Flood): Promise<void> {
  let seen = -1
  let unchanged = 0
  await until(() => {
    unchanged = flood.blocked && flood.written === seen ? unchanged + 1 : 0
    seen = flood.written
    return unchanged > 20
  })
}
