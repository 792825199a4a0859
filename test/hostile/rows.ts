import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'

import type { HostileGateway, Measures } from './gateway.ts'

/** What all rows share: their limits, their choice, their callers, and how they are told. */

export const MiB = 1024 * 1024

/** The most memory of the process, in bytes. */
export const allowedMemory = 1.5e9
/** The longest stall of the event loop by one request, in milliseconds of processor time. */
export const allowedStall = 250
/** The longest wait for `/livez`, in milliseconds. Meaningful on a machine that does nothing else. */
export const allowedWait = 200
/** Requests at the same time. */
export const atOnce = 50

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
/** Whether all rows are chosen. */
export const isWhole = values.only === ''
/** Whether the word on the command line chooses a row. */
export const isChosen = (name: string) => name.includes(values.only)

/** The keys of all gateways; each secret is `ID-secret`. */
export const keys = ['one', 'two', 'three'].map((id) => ({ id, secret: `${id}-secret` }))

/** Sends a body and reads its answer to the end. Resolves with the status. */
export async function send(
  { url }: HostileGateway,
  body: Buffer,
  {
    key = 'one',
    encoding,
    path = 'chat/completions',
  }: { key?: string; encoding?: string; path?: string } = {},
): Promise<number> {
  // One buffer for all: copies of large bodies would take time and memory from the gateway.
  const sent = request(`${url}/v1/${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}-secret`,
      'content-type': 'application/json',
      'content-length': body.length,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.end(body)
  const [response] = await answered
  // An answer may come before the whole body has gone out.
  sent.on('error', () => {})
  response.resume()
  await finished(response)
  return response.statusCode!
}

/** Reads a reply, which a reset may end. */
export async function readEnd(response: Response): Promise<{ end: string; length: number }> {
  let [end, length] = ['', 0]
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      // What a client of Responses reads of a failure holds all of the reply between two messages.
      if (Buffer.from(chunk).includes('is too large')) end = 'is too large'
    }
  } catch {
    // The end has been read.
  }
  return { end, length }
}

let checked = 0

/** Tells of a row, and fails the run if it does not hold. */
export function check(holds: boolean, what: string): void {
  checked++
  console.log(`${holds ? 'holds' : 'FAILS'}  ${what}`)
  if (!holds) process.exitCode = 1
}

/** Measures in words. */
export function shown({ memory, stall, livez }: Measures): string {
  const [mb, stalled, waited] = [memory / 1e6, stall, livez].map((value) => value.toFixed(0))
  return `${mb} MB, stalls ${stalled} ms, /livez ${waited} ms`
}

/** Throws if the word on the command line chooses no row. */
export function assertChecked(): void {
  if (checked === 0) throw new Error(`Nothing has "${values.only}" in its name.`)
}

/** Statuses with their numbers. */
export function counted(statuses: readonly number[]): string {
  const groups = Map.groupBy(statuses, (status) => status)
  return [...groups]
    .map(([status, all]) => `${all.length} of ${status}`)
    .toSorted()
    .join(', ')
}
