import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

import { until } from '../../src/testing/until.ts'
import { startCommand } from './gateway.ts'
import { allowedWait, atOnce, check, counted, isChosen, keys, send, shown } from './rows.ts'

const name = 'small bodies to an account that is silent'
const times = 2_000
const settleMs = 60_000
/** Of the heap, in MiB. */
const heap = 400

/** Compressed bodies of 164 bytes, most of which one key has waiting, in a process with little memory. */
export async function smallBodies(account: string): Promise<void> {
  if (!isChosen(name)) return
  let waiting = 0
  const silent = createServer((request) => {
    waiting++
    request.resume()
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const at = (id: string, baseUrl: string) => ({
    id,
    provider: 'openai-compatible',
    speaks: ['chat'],
    baseUrl,
    apiKey: 'key',
    models: [id],
  })
  const accounts = [at('silent', `http://127.0.0.1:${port}/v1`), at('brief', `${account}/v1`)]
  await using gateway = await startCommand({ keys, accounts }, [`--max-old-space-size=${heap}`])
  const bytes = gzipSync(expanding('silent'))
  await gateway.mark()
  const statuses: number[] = []
  const asked: Promise<number>[] = []
  for (let at = 0; at < times; at++) {
    const answered = send(gateway, bytes, { encoding: 'gzip' }).catch(() => 0)
    asked.push(answered.then((status) => statuses.push(status)))
    // More connections at once would be too many for the system, not for the gateway.
    if (at % atOnce === 0) await until(() => at - waiting - statuses.length < 4 * atOnce, settleMs)
  }
  await until(() => waiting + statuses.length >= times || !gateway.isAlive, settleMs)
  const isRefused = statuses.every((status) => status === 429 || status === 503)
  const body = Buffer.from(
    JSON.stringify({ model: 'brief', messages: [{ role: 'user', content: 'hi' }] }),
  )
  const other = await send(gateway, body, { key: 'two' })
  const measures = await gateway.mark()
  check(
    gateway.isAlive && other === 200 && isRefused && measures.livez < allowedWait,
    `${times} of ${name}, ${bytes.length} bytes each, with ${heap} MiB: ${waiting} wait, ${counted(statuses)}, another key ${other}, ${shown(measures)}`,
  )
  silent.closeAllConnections()
  await Promise.all([new Promise((resolve) => silent.close(resolve)), ...asked])
}

function expanding(model: string): string {
  const padding = `[${'{},'.repeat(21_500)}{}]`
  return `{"model":"${model}","messages":[{"role":"user","content":"hi"}],"x":${padding}}`
}
