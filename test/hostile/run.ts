import { dialectNames } from '../translate/clients/index.ts'
import { startBriefAccount } from './account.ts'
import { bombs, permitted, permittedResponses, refused, untranslatable } from './bodies.ts'
import { type HostileGateway, startCommand } from './gateway.ts'
import { isLinear, measureGrowth } from './growth.ts'
import { edits } from './edits.ts'
import { guarded, guardrail } from './guarded.ts'
import { heads, sendHeads } from './heads.ts'
import { amongManyAccounts } from './many-account-rows.ts'
import { frames } from './frame-rows.ts'
import { largeEventsOfKeys } from './large-event-rows.ts'
import { smallBodies } from './small-body-rows.ts'
import { keptResources } from './stored-rows.ts'
import { unreadStreams } from './unread-stream-rows.ts'
import {
  MiB,
  allowedMemory,
  allowedStall,
  allowedWait,
  assertChecked,
  atOnce,
  check,
  counted,
  isChosen,
  isWhole,
  keys,
  readEnd,
  send,
  shown,
} from './rows.ts'
import { accountKey, hostileReplies } from './replies.ts'
import { hostileStreams } from './streams.ts'
import { dialects } from '../requests/dialects.ts'

/**
 * The largest and oddest requests that the limits permit, one by one and 50 at once, against the
 * command in a process of its own: its memory, the stalls of its event loop, and `/livez` meanwhile.
 *
 *     npm run test:hostile [-- --only WORD]
 */

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
  const counts = counted(await Promise.all(asked))
  const measures = await gateway.mark()
  if (failures.length > 0) console.log(`  ${[...new Set(failures)].join(', ')}`)
  check(
    gateway.isAlive && measures.memory < allowedMemory && measures.livez < allowedWait,
    `${atOnce} ${name} at once (${counts}): ${shown(measures)}`,
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

/** A translation's time must not grow faster than its request. */
async function growth(): Promise<void> {
  for (const { name, times } of await measureGrowth()) {
    const [short, long] = times
    if (!isLinear(times))
      check(false, `${name}: ${short.toFixed(0)} ms, four times as long: ${long.toFixed(0)} ms`)
  }
  console.log('translations measured')
}

if (isWhole) await growth()
{
  await using gateway = await startCommand({ keys, accounts })
  await oneByOne(gateway)
}
{
  await using gateway = await startCommand({ keys, accounts })
  await manyAtOnce(gateway)
}
await amongManyAccounts(account.url)
await smallBodies(account.url)
await strangers()
await guardedTexts()
await forms()
await replies()
await streams()
await frames(account.url)
await largeEventsOfKeys(account.url)
await unreadStreams(account.url)
await keptResources(account.url)
assertChecked()
