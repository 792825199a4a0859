import { once } from 'node:events'

import { describe, expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'
import { refusing, serving, startPool } from '../failover/pool.ts'
import { ask, receive } from './asking.ts'
import { asDelivered, form, forms, upToOutput, wholeStream } from './forms.ts'
import { createGate, cut, openStream, stage } from './scripted.ts'

interface Told {
  account: string
  status: string
  fault: string
}

/** Writes down how attempts ended. */
function recordOutcomes(): { told: Told[]; plugin: GatewayPlugin } {
  const told: Told[] = []
  return {
    told,
    plugin: definePlugin({
      name: 'record-outcomes',
      onOutcome({ exchange, outcome: { status, fault } }) {
        told.push({ account: exchange.candidate.account.id, status, fault })
      },
    }),
  }
}

/** A critical plugin that is told of outcomes and is not done with them before `done` opens. */
function slowCritical() {
  const done = createGate()
  let told = 0
  const plugin = definePlugin({
    name: 'critical',
    critical: true,
    onOutcome() {
      told++
      return done.opened
    },
  })
  return { plugin, done, told: () => told }
}

describe.each(forms)('every attempt at a $name stream has one outcome', (form) => {
  test('when the second account serves', async () => {
    const { told, plugin } = recordOutcomes()
    await using pool = await startPool(
      form,
      { a: refusing(500), b: serving(form) },
      { plugins: [plugin] },
    )

    await receive(await ask(pool.gateway, form))

    expect(told).toEqual([
      { account: 'a', status: 'failed', fault: 'account' },
      { account: 'b', status: 'completed', fault: 'none' },
    ])
  })

  test('when the stream breaks', async () => {
    const { told, plugin } = recordOutcomes()
    const gate = createGate()
    await using scene = await stage(
      form,
      async (response) => {
        openStream(response, upToOutput(form))
        await gate.opened
        cut(response)
      },
      { plugins: [plugin] },
    )

    const response = await ask(scene.gateway, form)
    gate.open()
    await receive(response)

    expect(told).toEqual([{ account: 'only', status: 'failed', fault: 'account' }])
  })

  test('when the client leaves', async () => {
    const { told, plugin } = recordOutcomes()
    await using scene = await stage(form, (response) => openStream(response, upToOutput(form)), {
      plugins: [plugin],
    })
    const leaving = new AbortController()

    await ask(scene.gateway, form, { signal: leaving.signal })
    leaving.abort()
    await until(() => scene.account.requests[0]!.aborted)

    expect(told).toEqual([{ account: 'only', status: 'cancelled', fault: 'client' }])
  })

  test('when the client was wrong', async () => {
    const { told, plugin } = recordOutcomes()
    await using scene = await stage(form, refusing(400), { plugins: [plugin] })

    await ask(scene.gateway, form)

    expect(told).toEqual([{ account: 'only', status: 'failed', fault: 'caller' }])
  })

  test('and a critical plugin is done with it before the client has the end', async () => {
    const end = createGate()
    const { plugin, done, told } = slowCritical()
    await using scene = await stage(
      form,
      async (response) => {
        openStream(response, upToOutput(form))
        await end.opened
        response.end(form.ending.join(''))
      },
      { plugins: [plugin] },
    )

    const received = receive(await ask(scene.gateway, form))
    end.open()
    await until(() => told() === 1)
    const early = Promise.race([received, fetch(`${scene.gateway.url}/livez`).then(() => 'open')])

    expect(await early).toBe('open')
    done.open()
    const closing = form.name === 'generate-array' ? ']' : ''
    expect((await received).text).toBe(asDelivered(form, wholeStream(form)) + closing)
    expect(told()).toBe(1)
  })
})

// Streams of Gemini end with their connections.
const withEnds = forms.filter(({ name }) => !name.startsWith('generate'))

test.each(withEnds)(
  'a $name connection that breaks behind the end loses nothing of it',
  async (form) => {
    const { plugin, done, told } = slowCritical()
    let broken: Promise<unknown> | undefined
    await using scene = await stage(
      form,
      async (response) => {
        openStream(response, wholeStream(form))
        await until(() => told() === 1)
        broken = once(response, 'close')
        response.socket?.resetAndDestroy()
      },
      { plugins: [plugin] },
    )

    const received = receive(await ask(scene.gateway, form))
    await until(() => broken !== undefined)
    await broken
    // A round trip later the gateway has noticed the reset.
    await fetch(`${scene.gateway.url}/livez`)
    done.open()

    expect((await received).text).toBe(asDelivered(form, wholeStream(form)))
  },
)

/** How an account sends a stream: the end behind the output, or all at once. */
const pieces = [
  { how: 'in pieces', first: upToOutput(form.chat), last: form.chat.ending },
  { how: 'at once', first: [], last: wholeStream(form.chat) },
]

describe.each(pieces)('while a critical plugin works at the end of a stream $how', (sent) => {
  async function stageEnd() {
    const end = createGate()
    const critical = slowCritical()
    const scene = await stage(
      form.chat,
      async (response) => {
        openStream(response, sent.first)
        await end.opened
        response.end(sent.last.join(''))
      },
      { plugins: [critical.plugin] },
    )
    return { ...critical, scene, end }
  }

  test('an interruption cuts nothing of it', async () => {
    const { scene, end, told, done } = await stageEnd()
    await using _ = scene

    const received = ask(scene.gateway, form.chat).then(receive)
    await until(() => scene.account.requests.length === 1)
    end.open()
    await until(() => told() === 1)
    scene.gateway.gateway.interrupt()
    await fetch(`${scene.gateway.url}/livez`)
    done.open()

    expect(await received).toEqual({ text: wholeStream(form.chat).join(''), reset: false })
    expect(told()).toBe(1)
  })

  test('a client that leaves ends its call', async () => {
    const { scene, end, told, done } = await stageEnd()
    await using _ = scene
    const leaving = new AbortController()

    const asked = ask(scene.gateway, form.chat, { signal: leaving.signal }).catch(() => {})
    await until(() => scene.account.requests.length === 1)
    end.open()
    await until(() => told() === 1)
    leaving.abort()
    await asked
    await fetch(`${scene.gateway.url}/livez`)
    done.open()

    await until(() => scene.gateway.gateway.inflight() === 0)
    expect(told()).toBe(1)
  })
})

test('a plugin that throws at an outcome does not spoil the answer', async () => {
  const broken = definePlugin({
    name: 'broken',
    critical: true,
    onOutcome() {
      throw new Error('not today')
    },
  })
  await using scene = await stage(form.chat, serving(form.chat), { plugins: [broken] })

  const { text } = await receive(await ask(scene.gateway, form.chat))

  expect(text).toBe(wholeStream(form.chat).join(''))
  expect(scene.gateway.log).toEqual([
    expect.objectContaining({ msg: expect.stringContaining('broken: onOutcome failed') }),
  ])
})
