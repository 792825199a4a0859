import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'

import { dialectNames } from '../translate/clients/index.ts'
import { startBriefAccount } from './account.ts'
import { bombs, permitted, permittedResponses, refused, untranslatable } from './bodies.ts'
import { hostileFrames } from './frames.ts'
import { type HostileGateway, type Measures, startCommand } from './gateway.ts'
import { measureGrowth } from './growth.ts'
import { edits } from './edits.ts'
import { guarded, guardrail } from './guarded.ts'
import { heads, sendHeads } from './heads.ts'
import { accountCount, madeUp, manyAccounts, scopedKey, smallCalls } from './many-accounts.ts'
import { accountKey, hostileReplies } from './replies.ts'
import { type StoredCall, storedResources } from './stored.ts'
import { hostileStreams } from './streams.ts'
import { dialects } from '../requests/dialects.ts'
import { ask } from '../walks/streams/asking.ts'

/**
 * The largest and oddest requests that the limits permit, one by one and 50 at once, against the
 * command in a process of its own: its memory, the stalls of its event loop, and `/livez` meanwhile.
 *
 *     npm run test:hostile [-- --only WORD]
 */

const MiB = 1024 * 1024

/** The most memory of the process, in bytes. */
const allowedMemory = 1.5e9
/** The longest stall of the event loop by one request, in milliseconds of processor time. */
const allowedStall = 250
/** The longest wait for `/livez`, in milliseconds. Meaningful on a machine that does nothing else. */
const allowedWait = 200
const atOnce = 50

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const isChosen = (name: string) => name.includes(values.only)

await using account = await startBriefAccount()

const accounts = dialectNames.map((dialect) => ({
  id: dialect,
  provider: 'openai-compatible',
  speaks: [dialect],
  baseUrl: `${account.url}/v1`,
  apiKey: 'key',
  models: [`${dialect}-model`],
}))

/** For each hostile reply an account that gives it, and whose model replies are renamed. */
const hostileAccounts = [...hostileReplies].map(([name, { dialect }], at) => ({
  id: `hostile-${at}`,
  provider: 'openai-compatible',
  speaks: [dialect],
  baseUrl: `${account.url}/replies/${encodeURIComponent(name)}/v1`,
  apiKey: accountKey,
  models: [`hostile-${at}`],
  replyModel: 'client' as const,
}))

const keys = ['one', 'two', 'three'].map((id) => ({ id, secret: `${id}-secret` }))

async function send(
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

let checked = 0

function check(holds: boolean, what: string): void {
  checked++
  console.log(`${holds ? 'holds' : 'FAILS'}  ${what}`)
  if (!holds) process.exitCode = 1
}

function shown({ memory, stall, livez }: Measures): string {
  const [mb, stalled, waited] = [memory / 1e6, stall, livez].map((value) => value.toFixed(0))
  return `${mb} MB, stalls ${stalled} ms, /livez ${waited} ms`
}

async function oneByOne(gateway: HostileGateway): Promise<void> {
  for (const dialect of dialectNames) {
    for (const [name, bodyOf] of Object.entries({ ...permitted, ...untranslatable, ...refused })) {
      if (!isChosen(name)) continue
      const body = bodyOf(`${dialect}-model`)
      await gateway.mark()
      const status = await send(gateway, body)
      const measures = await gateway.mark()
      const passes = name in permitted || (name in untranslatable && dialect === 'chat')
      const isExpected = passes ? status === 200 : status >= 400 && status < 500
      const size = `${(body.length / MiB).toFixed(0)} MiB`
      check(
        isExpected && measures.stall < allowedStall && measures.memory < allowedMemory,
        `chat to ${dialect}, ${name}, ${size}: ${status}, ${shown(measures)}`,
      )
    }
  }
  for (const dialect of dialectNames) {
    for (const [name, bodyOf] of Object.entries(permittedResponses)) {
      if (!isChosen(name)) continue
      const body = bodyOf(`${dialect}-model`)
      await gateway.mark()
      const status = await send(gateway, body, { path: 'responses' })
      const measures = await gateway.mark()
      check(
        status === 200 && measures.stall < allowedStall && measures.memory < allowedMemory,
        `responses to ${dialect}, ${name}: ${status}, ${shown(measures)}`,
      )
    }
  }
  for (const [name, { encoding, bytes }] of Object.entries(bombs)) {
    if (!isChosen(name)) continue
    const bomb = bytes()
    await gateway.mark()
    const status = await send(gateway, bomb, { encoding })
    const measures = await gateway.mark()
    const isRefused = status === 413 || status === 415
    check(
      isRefused && measures.stall < allowedStall,
      `${name}, ${bomb.length} bytes: ${status}, ${shown(measures)}`,
    )
  }
}

/** Heads of strangers, of which lines of the log have texts: one alone and many at once. */
async function strangers(): Promise<void> {
  const chosen = Object.entries(heads).filter(([name]) => isChosen(name))
  if (chosen.length === 0) return
  await using gateway = await startCommand({ keys, accounts })
  for (const [name, head] of chosen) {
    for (const times of [1, atOnce]) {
      await gateway.mark()
      const statuses = new Set(await sendHeads(gateway.url, head, times))
      const measures = await gateway.mark()
      const isRefused = [...statuses].every((status) => status >= 400 && status < 500)
      check(
        isRefused && measures.stall < allowedStall && measures.livez < allowedWait,
        `${times} of ${name}: ${[...statuses].join(', ')}, ${shown(measures)}`,
      )
    }
  }
}

/** Bodies whose texts the guardrail looks at. */
async function guardedTexts(): Promise<void> {
  const chosen = Object.entries(guarded).filter(([name]) => isChosen(name))
  if (chosen.length === 0) return
  await using gateway = await startCommand({ keys, accounts, plugins: [guardrail] })
  for (const dialect of dialectNames) {
    for (const [name, { bodyOf, encoding, status: expected }] of chosen) {
      const body = bodyOf(`${dialect}-model`)
      await gateway.mark()
      const status = await send(gateway, body, encoding === undefined ? {} : { encoding })
      const measures = await gateway.mark()
      check(
        status === expected && measures.stall < allowedStall && measures.memory < allowedMemory,
        `guarded chat to ${dialect}, ${name}: ${status}, ${shown(measures)}`,
      )
    }
  }
}

/** Edits of images in forms, which are larger than any JSON body. */
async function forms(): Promise<void> {
  const speaks = ['images']
  const own = { id: 'images', provider: 'openai-compatible', baseUrl: `${account.url}/v1` }
  const models = ['gpt-image-1']
  for (const [name, formOf] of Object.entries(edits)) {
    if (!isChosen(name)) continue
    await using gateway = await startCommand({ keys, accounts: [{ ...own, speaks, models }] })
    const body = formOf('gpt-image-1')
    await gateway.mark()
    const response = await fetch(`${gateway.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: 'Bearer one-secret' },
      body,
    })
    await response.arrayBuffer()
    const measures = await gateway.mark()
    check(
      response.status === 200 && measures.stall < allowedStall && measures.memory < allowedMemory,
      `${name}: ${response.status}, ${shown(measures)}`,
    )
  }
}

/** Hostile replies to the smallest requests, native and translated, whole and streamed. */
async function replies(): Promise<void> {
  for (const [at, [name, { dialect, isForAll }]] of [...hostileReplies].entries()) {
    if (!isChosen(name)) continue
    const some = new Set([dialect, 'messages' as const])
    for (const client of isForAll ? dialectNames : some) {
      for (const stream of [false, true]) {
        // A gateway of its own, since some replies open circuits.
        await using gateway = await startCommand({ keys, accounts: [hostileAccounts[at]!] })
        const { path, request, credential } = dialects[client]
        const model = `hostile-${at}`
        const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
        await gateway.mark()
        const response = await fetch(
          gateway.url + path.replace('m:generateContent', `${model}:${action}`),
          {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...credential('one-secret') },
            body: JSON.stringify({ ...request, ...(path.includes(':') ? {} : { model, stream }) }),
          },
        )
        await response.arrayBuffer().catch(() => {})
        const measures = await gateway.mark()
        check(
          gateway.isAlive && measures.stall < allowedStall && measures.memory < allowedMemory,
          `${client} from ${dialect}${stream ? ', streamed' : ''}, ${name}: ${response.status}, ${shown(measures)}`,
        )
      }
    }
  }
}

/** Hostile streams to the clients of the other dialects, which the gateway translates, and some natively. */
async function streams(): Promise<void> {
  for (const [name, { account: dialect, isNativeToo }] of hostileStreams) {
    if (!isChosen(name)) continue
    for (const client of dialectNames) {
      if (client === dialect && !isNativeToo) continue
      const baseUrl = `${account.url}/streams/${encodeURIComponent(name)}/v1`
      const own = { id: 'only', provider: 'openai-compatible', baseUrl, apiKey: accountKey }
      const accounts = [{ ...own, speaks: [dialect], models: ['m'] }]
      await using gateway = await startCommand({ keys, accounts })
      const { path, request, credential } = dialects[client]
      const action = 'm:streamGenerateContent?alt=sse'
      await gateway.mark()
      const response = await fetch(gateway.url + path.replace('m:generateContent', action), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential('one-secret') },
        body: JSON.stringify({
          ...request,
          ...(path.includes(':') ? {} : { stream: true, model: 'm' }),
        }),
      })
      const { end, length } = await readEnd(response)
      const measures = await gateway.mark()
      const isBounded = name.includes('without an end') === end.includes('is too large')
      check(
        isBounded && measures.stall < allowedStall && measures.memory < allowedMemory,
        `${client} from ${dialect}, ${name}: ${(length / MiB).toFixed(0)} MiB, ${shown(measures)}`,
      )
    }
  }
}

/** Streams with one large frame of an odd shape, native and translated, renamed and in another framing. */
async function frames(): Promise<void> {
  const plugin = join(import.meta.dirname, 'framed-plugin.ts')
  for (const [name, { account: dialect, client, framings, isRenamed }] of hostileFrames) {
    if (!isChosen(name)) continue
    const baseUrl = `${account.url}/frames/${encodeURIComponent(name)}/v1`
    const own = { id: 'only', baseUrl, apiKey: accountKey, models: ['*'] }
    const kind = framings
      ? { provider: 'framed' }
      : { provider: 'openai-compatible', speaks: [dialect] }
    await using gateway = await startCommand({
      keys,
      accounts: [{ ...own, ...kind, replyModel: isRenamed ? 'client' : 'account' }],
      ...(framings && { plugins: [{ use: plugin, options: framings }] }),
    })
    await gateway.mark()
    const response = await ask({ url: gateway.url, key: 'one-secret' }, client, { model: 'asked' })
    const { length } = await readEnd(response)
    const measures = await gateway.mark()
    check(
      response.status === 200 &&
        length > 0 &&
        measures.stall < allowedStall &&
        measures.memory < allowedMemory,
      `${name}: ${response.status}, ${(length / MiB).toFixed(0)} MiB, ${shown(measures)}`,
    )
  }
}

const othersAtOnce = 8

/** A large event of one key, alone and while another key has many streams with the largest events. */
async function largeEventsOfKeys(): Promise<void> {
  const name = 'a large event among many of another key'
  if (!isChosen(name)) return
  const sizes = { honest: 5 * MiB, busy: 36 * MiB }
  const accounts = Object.entries(sizes).map(([id, size]) => ({
    id,
    provider: 'openai-compatible',
    speaks: ['chat'],
    baseUrl: `${account.url}/events/${size}/v1`,
    apiKey: accountKey,
    models: [id],
  }))
  // So that only the line of large events holds streams up.
  const limits = { memoryBytes: 4096 * MiB }
  await using gateway = await startCommand({ keys, accounts, limits })
  const ask = async (key: string, model: string, signal?: AbortSignal) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}-secret`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'a' }] }),
      signal: signal ?? null,
    })
    return readEnd(response)
  }
  const timed = async () => {
    const begun = performance.now()
    const { length } = await ask('one', 'honest')
    return { ms: performance.now() - begun, isWhole: length > sizes.honest }
  }
  const alone = await timed()
  const begun = performance.now()
  await ask('two', 'busy')
  const busyMs = performance.now() - begun
  const leaving = new AbortController()
  const busy = Array.from({ length: othersAtOnce }, async () => {
    while (!leaving.signal.aborted) await ask('two', 'busy', leaving.signal).catch(() => {})
  })
  const times: Awaited<ReturnType<typeof timed>>[] = []
  for (let count = 0; count < 5; count++) times.push(await timed())
  leaving.abort()
  await Promise.all(busy)
  const longest = Math.max(...times.map(({ ms }) => ms))
  // It waits for the event that is being parsed, and shares the turns of the loop.
  const allowed = 2 * busyMs + 4 * alone.ms
  check(
    times.every(({ isWhole }) => isWhole) && longest < allowed,
    `${name}: ${longest.toFixed(0)} ms, ${alone.ms.toFixed(0)} ms alone; one of the others takes ${busyMs.toFixed(0)} ms`,
  )
}

/** Reads a reply, which a reset may end. */
async function readEnd(response: Response): Promise<{ end: string; length: number }> {
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

/** Fifty requests of three keys at the same time; the limits decide which are served. */
async function allAtOnce(
  gateway: HostileGateway,
  name: string,
  bodies: readonly { readonly bytes: Buffer; readonly encoding?: string }[],
): Promise<void> {
  if (!isChosen(`${name} at once`)) return
  await gateway.mark()
  const failures: string[] = []
  const asked = Array.from({ length: atOnce }, (_, at) => {
    const { bytes, encoding } = bodies[at % bodies.length]!
    const { id } = keys[at % keys.length]!
    return send(gateway, bytes, { key: id, ...(encoding !== undefined && { encoding }) }).catch(
      (error: unknown) => {
        failures.push(String((error as Error).cause ?? error))
        return 0
      },
    )
  })
  const statuses = Map.groupBy(await Promise.all(asked), (status) => status)
  const counts = [...statuses].map(([status, all]) => `${all.length} of ${status}`).toSorted()
  const measures = await gateway.mark()
  if (failures.length > 0) console.log(`  ${[...new Set(failures)].join(', ')}`)
  check(
    gateway.isAlive && measures.memory < allowedMemory && measures.livez < allowedWait,
    `${atOnce} ${name} at once (${counts.join(', ')}): ${shown(measures)}`,
  )
}

async function manyAtOnce(gateway: HostileGateway): Promise<void> {
  const compressed = Object.values(bombs).map(({ encoding, bytes }) => ({
    encoding,
    bytes: bytes(),
  }))
  await allAtOnce(gateway, 'bombs', compressed)
  for (const [name, dialect] of [
    ['one text', 'chat'],
    ['one text', 'messages'],
    ['many messages', 'generate'],
    ['many names', 'responses'],
    ['one text of kanji', 'messages'],
    ['16 images of 2.9 MiB', 'messages'],
    ['10 MB in 2,000 messages', 'messages'],
  ] as const) {
    const bytes = permitted[name]!(`${dialect}-model`)
    await allAtOnce(gateway, `${name}, to ${dialect},`, [{ bytes }])
  }
  const mixed = Object.values({ ...permitted, ...refused }).map((bodyOf, at) => ({
    bytes: bodyOf(`${dialectNames[at % dialectNames.length]}-model`),
  }))
  await allAtOnce(gateway, 'different ones', [...mixed, ...compressed])
}

/** Small calls about what the gateway keeps of an account that keeps nothing. */
async function keptResources(): Promise<void> {
  for (const [name, { path, body, calls }] of Object.entries(storedResources)) {
    if (!isChosen(`stored, ${name}`)) continue
    await using gateway = await startCommand({
      keys,
      accounts: accounts.filter(({ id }) => id === 'chat'),
    })
    const made = await callOf(gateway, 'POST', path, body)
    const { id, output } = JSON.parse(made.bytes.toString()) as KeptResource
    const item = output?.[0]?.id ?? ''
    for (const call of calls) {
      for (const times of [1, atOnce])
        await manyCalls(gateway, `stored, ${name}`, call, { id, item, times })
    }
  }
}

interface KeptResource {
  readonly id: string
  readonly output?: readonly { readonly id: string }[]
}

async function manyCalls(
  gateway: HostileGateway,
  of: string,
  { name, method, path, body }: StoredCall,
  { id, item, times }: { id: string; item: string; times: number },
): Promise<void> {
  await gateway.mark()
  const asked = Array.from({ length: times }, () =>
    callOf(gateway, method, path(id), body?.(id, item)).catch(() => ({ status: 0 })),
  )
  const statuses = Map.groupBy(await Promise.all(asked), ({ status }) => status)
  if (!gateway.isAlive) return check(false, `${of}, ${times} ${name}: the process has ended`)
  const measures = await gateway.mark()
  const counts = [...statuses].map(([status, all]) => `${all.length} of ${status}`).toSorted()
  const isAnswered = times > 1 ? statuses.has(200) : statuses.get(200)?.length === 1
  check(
    isAnswered && measures.stall < allowedStall && measures.memory < allowedMemory,
    `${of}, ${times} ${name} (${counts.join(', ')}): ${shown(measures)}`,
  )
}

async function callOf({ url }: HostileGateway, method: string, path: string, body?: string) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: 'Bearer one-secret', 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** A translation's time must not grow faster than its request. */
async function growth(): Promise<void> {
  for (const { name, times } of await measureGrowth()) {
    const [short, long] = times
    const isFine = long < 200 || long < 8 * short
    if (!isFine)
      check(false, `${name}: ${short.toFixed(0)} ms, four times as long: ${long.toFixed(0)} ms`)
  }
  console.log('translations measured')
}

/** Small calls to a gateway with ten thousand accounts: the first ones of it, and those after them. */
async function amongManyAccounts(): Promise<void> {
  const chosen = Object.entries(smallCalls).filter(([name]) => isChosen(name))
  if (chosen.length === 0 && !isChosen(madeUpNames)) return
  await using gateway = await startCommand({
    keys: [...keys, scopedKey],
    accounts: manyAccounts(account.url),
  })
  for (const [name, { path, body, status: expected, isScoped }] of [...chosen, ...chosen]) {
    const { secret } = isScoped ? scopedKey : keys[0]!
    await gateway.mark()
    const response = await fetch(gateway.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    const measures = await gateway.mark()
    check(
      response.status === expected && measures.stall < allowedStall,
      `${name} among ${accountCount} accounts: ${response.status}, ${shown(measures)}`,
    )
  }
  if (isChosen(madeUpNames)) await callsOfMadeUpNames(gateway)
}

const madeUpNames = 'calls of made-up models'
const madeUpCalls = 1_500

/** Names of models that clients make up, each of which all accounts have by a pattern. */
async function callsOfMadeUpNames(gateway: HostileGateway): Promise<void> {
  const statuses = new Set<number>()
  await gateway.mark()
  for (let at = 0; at < madeUpCalls; at++) {
    statuses.add(await send(gateway, Buffer.from(madeUp(at))))
  }
  const measures = await gateway.mark()
  check(
    statuses.size === 1 &&
      statuses.has(200) &&
      measures.stall < allowedStall &&
      measures.memory < allowedMemory,
    `${madeUpCalls} ${madeUpNames} among ${accountCount} accounts: ${[...statuses].join(', ')}, ${shown(measures)}`,
  )
}

if (values.only === '') await growth()
{
  await using gateway = await startCommand({ keys, accounts })
  await oneByOne(gateway)
}
{
  await using gateway = await startCommand({ keys, accounts })
  await manyAtOnce(gateway)
}
await amongManyAccounts()
await strangers()
await guardedTexts()
await forms()
await replies()
await streams()
await frames()
await largeEventsOfKeys()
await keptResources()
if (checked === 0) throw new Error(`Nothing has "${values.only}" in its name.`)
