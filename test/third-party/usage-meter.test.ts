import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../src/index.ts'
import { answerJson, createTestGateway, startFakeAccount, until } from '../../src/testing/index.ts'
import { accountAt, askChat, frames, lastFrame, readUpTo, reply, stage } from './chat.ts'
import { type Meter, usageMeter } from './usage-meter.ts'

const streamed = { fields: { stream: true, stream_options: { include_usage: true } } }
const used = { inputTokens: 3, outputTokens: 2 }

/** A ledger that is as slow as the test wants. */
function createLedger() {
  const writing = Promise.withResolvers<void>()
  const meters: Meter[] = []
  const record = (meter: Meter) => {
    meters.push(meter)
    return writing.promise
  }
  return { meters, record, written: () => writing.resolve() }
}

describe.concurrent('a client', () => {
  test('has the end of its stream only when the usage has been written down', async () => {
    const ledger = createLedger()
    const delivered = Promise.withResolvers<void>()
    await using scene = await stage({ plugins: [usageMeter(ledger)] }, async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frames.slice(0, -1).join(''))
      await delivered.promise
      response.end(lastFrame)
    })

    const reader = (await askChat(scene.gateway, streamed)).body!.getReader()
    const begun = await readUpTo(reader, frames.at(-2)!)
    delivered.resolve()
    await until(() => ledger.meters.length === 1)
    const further = reader.read()
    const held = await Promise.race([further, turns(20)])
    ledger.written()
    const { value } = await further

    expect(begun).toBe(frames.slice(0, -1).join(''))
    expect(held).toBe('nothing')
    expect(Buffer.from(value!).toString()).toBe(lastFrame)
    expect((await reader.read()).done).toBe(true)
    expect(ledger.meters).toMatchObject([{ keyId: 'test', account: 'only', usage: used }])
  })

  test('has its JSON reply only when the usage has been written down', async () => {
    const ledger = createLedger()
    await using scene = await stage({ plugins: [usageMeter(ledger)] })

    const asked = askChat(scene.gateway)
    await until(() => ledger.meters.length === 1)
    const held = await Promise.race([asked, turns(20)])
    ledger.written()

    expect(held).toBe('nothing')
    expect(await (await asked).json()).toEqual(reply)
    expect(ledger.meters).toMatchObject([{ status: 'completed', model: 'm', usage: used }])
  })

  test('is served by a gateway whose ledger throws', async () => {
    const failing = usageMeter({ record: () => Promise.reject(new Error('ledger-canary')) })
    await using scene = await stage({ plugins: [failing] })

    expect(await (await askChat(scene.gateway)).json()).toEqual(reply)
    expect(await (await askChat(scene.gateway, streamed)).text()).toBe(frames.join(''))
    const told = scene.gateway.log.filter((line) => JSON.stringify(line).includes('ledger-canary'))
    expect(told).toHaveLength(2)
    expect(JSON.stringify(told)).toContain('usage-meter')
  })

  test('is served, later, by a gateway whose ledger hangs', async () => {
    const hanging = usageMeter({ record: () => new Promise(() => {}) })
    await using scene = await stage({ plugins: [hanging] })
    const [plain, stream] = await Promise.all([
      askChat(scene.gateway).then((response) => response.json()),
      askChat(scene.gateway, streamed).then((response) => response.text()),
    ])
    expect(plain).toEqual(reply)
    expect(stream).toBe(frames.join(''))
  })

  test('does not wait for a plugin that is not critical', async () => {
    const asked: string[] = []
    const hanging = (name: string) => {
      const record = () => {
        asked.push(name)
        return new Promise<void>(() => {})
      }
      return usageMeter({ record })
    }
    const patient = { ...hanging('patient'), critical: false }
    await using waiting = await stage({ plugins: [hanging('critical')] })
    await using scene = await stage({ plugins: [patient] })

    for (const fields of [{}, { stream: true }]) {
      asked.length = 0
      const late = askChat(waiting.gateway, { fields }).then((response) => response.text())
      await until(() => asked.length === 1)
      const soon = askChat(scene.gateway, { fields }).then((response) => response.text())
      const first = Promise.race([late.then(() => 'critical'), soon.then(() => 'patient')])
      expect(await first).toBe('patient')
      expect(await soon).toBe(await late)
    }
  })
})

describe.concurrent('a meter', () => {
  test('counts every attempt once, each on its own account', async () => {
    await using broken = await startFakeAccount(answerJson({ error: {} }, { status: 503 }))
    await using sound = await startFakeAccount(answerJson(reply))
    const ledger = createLedger()
    ledger.written()
    await using gateway = await createTestGateway({
      accounts: [accountAt('broken', broken.url), accountAt('sound', sound.url, { priority: 1 })],
      plugins: [usageMeter(ledger)],
    })

    expect((await askChat(gateway)).status).toBe(200)
    expect(ledger.meters).toMatchObject([
      { account: 'broken', attempt: 1, status: 'failed', usage: undefined },
      { account: 'sound', attempt: 2, status: 'completed', usage: used },
    ])
  })

  test('counts an attempt once, even where another plugin spoils its reply', async () => {
    const ledger = createLedger()
    ledger.written()
    const spoiler = definePlugin({
      name: 'spoiler',
      onAttempt: ({ next }) => next().then(() => Promise.reject(new Error('spoilt'))),
    })
    await using scene = await stage({ plugins: [usageMeter(ledger), spoiler] })

    expect((await askChat(scene.gateway)).status).toBe(500)
    await scene.gateway.logged(1)
    expect(ledger.meters).toMatchObject([{ attempt: 1, status: 'completed', usage: used }])
  })

  test('is told of the end of every exchange, whatever became of it', async () => {
    const ends: unknown[] = []
    const plugin = usageMeter({
      record: async () => {},
      ended: ({ status, end }) => ends.push({ status, end }),
    })
    await using scene = await stage({ plugins: [plugin] })

    await (await askChat(scene.gateway)).arrayBuffer()
    await (await askChat(scene.gateway, { key: 'wrong' })).arrayBuffer()
    await (await askChat(scene.gateway, { fields: { n: 0 } })).arrayBuffer()
    await until(() => ends.length === 3)

    expect(ends).toEqual([
      { status: 200, end: 'complete' },
      { status: 401, end: 'complete' },
      { status: 400, end: 'complete' },
    ])
  })

  test('that is slow still sees the attempt that it was told of', async () => {
    const later = Promise.withResolvers<void>()
    const seen: string[] = []
    const slow = definePlugin({
      name: 'slow',
      async onOutcome({ attempt, candidate }) {
        await later.promise
        seen.push(`${attempt.number} ${candidate.account.id}`)
      },
    })
    await using broken = await startFakeAccount(answerJson({ error: {} }, { status: 503 }))
    await using sound = await startFakeAccount(answerJson(reply))
    await using gateway = await createTestGateway({
      accounts: [accountAt('broken', broken.url), accountAt('sound', sound.url, { priority: 1 })],
      plugins: [slow],
    })

    expect((await askChat(gateway)).status).toBe(200)
    later.resolve()
    await until(() => seen.length === 2)
    expect(seen).toEqual(['1 broken', '2 sound'])
  })
})

/** Resolves after this many turns of the event loop, each of which lets sockets be read. */
async function turns(count: number): Promise<'nothing'> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  return 'nothing'
}
