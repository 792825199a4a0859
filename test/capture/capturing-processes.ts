import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { type Running, addressesOf } from '../cli/dragoman.ts'
import { ask, logOf } from '../cli/switched.ts'

export const token = `dga_${'t'.repeat(43)}`

/** Processes on one store, with captures permitted in `captures` of the place. */
export const settings = (rest: object) => ({
  admin: { tokens: [{ id: 'admin', role: 'admin', secret: token }] },
  capture: { directory: 'captures' },
  ...rest,
})

/** An act of the administrator. Resolves with the id of its capture. */
export async function act(operators: string, mutation: string): Promise<string> {
  const response = await fetch(`${operators}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { ${mutation} }` }),
  })
  const { data } = (await response.json()) as { data: { act: { capture: { id: string } } } }
  return data.act.capture.id
}

export const start = (operators: string) =>
  act(
    operators,
    `act: startCapture(input: { keyId: "team", reason: "to debug" }) {
      ... on StartCaptureSuccess { capture { id } } }`,
  )

export const stop = (operators: string, id: string) =>
  act(
    operators,
    `act: stopCapture(input: { id: "${id}" }) { ... on StopCaptureSuccess { capture { id } } }`,
  )

/** How many processes have written this line about a capture. */
export function saying(servers: readonly Running[], message: string, id: string): number {
  const lines = servers.flatMap(logOf)
  return lines.filter(({ msg, capture }) => msg === message && capture === id).length
}

export const linesIn = async (file: string) =>
  (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')

/** A line of a capture: of an exchange, or of the end. */
export interface Line {
  readonly request_id?: string
  readonly ended?: string
}

/** Captures in `servers`, whose addresses have two processes together, and stops at the last of them. */
export async function walk(servers: readonly Running[], path: string): Promise<void> {
  const addresses = await Promise.all(servers.map(addressesOf))
  const [first, last] = [addresses[0]!, addresses.at(-1)!]
  const directory = join(path, 'captures')
  const askAll = async () => {
    const replies = await Promise.all(addresses.map(({ clients }) => ask(clients)))
    for (const reply of replies) expect([reply.status, await reply.text()]).toContain(200)
    return replies.map(({ headers }) => headers.get('x-request-id') ?? '')
  }

  const id = await start(first.operators)
  await until(() => saying(servers, 'a capture has begun', id) === 2)
  const captured: string[] = []
  await until(async () => {
    captured.push(...(await askAll()))
    return (await readdir(directory).catch(() => [])).length === 2
  })
  expect(await stop(last.operators, id)).toBe(id)
  await until(() => saying(servers, 'a capture has ended', id) === 2)
  await askAll()
  // What waits for the disk is written before the end.
  for (const { child } of servers) child.kill('SIGTERM')
  for (const { ended } of servers) expect(await ended).toMatchObject({ code: 0 })

  const files = await readdir(directory)
  const lines = await Promise.all(files.map((name) => linesIn(join(directory, name))))
  const all = lines.map((of) => of.map((line) => JSON.parse(line) as Line))
  for (const of of all) {
    const ofCalls = of.filter(({ request_id: call }) => call !== undefined)
    expect(ofCalls.length).toBeGreaterThan(0)
    expect(of.at(-1)).toMatchObject({
      capture: id,
      ended: 'stopped',
      exchanges: ofCalls.length,
    })
  }
  const found = all.flat().flatMap(({ request_id: call }) => call ?? [])
  expect(found.toSorted()).toEqual(captured.toSorted())
}
