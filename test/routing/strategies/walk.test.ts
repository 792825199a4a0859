import { describe, expect, test } from 'vitest'

import type { Strategy } from '../../../src/contract/account.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import type { Answer } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { callsTo, serving, startAccount } from '../../walks/failover/pool.ts'
import { ask } from '../../walks/streams/asking.ts'
import { otherOf } from '../fallbacks/stage.ts'
import { type Form, form, forms } from '../../walks/streams/forms.ts'
import {
  type AccountSettings,
  accountFor,
  createGate,
  openStream,
} from '../../walks/streams/scripted.ts'

type Settings = Partial<AccountSettings> & { readonly form?: Form; readonly answer?: Answer }

/** A gateway before accounts of the model `m`, which has a strategy; `plain` is the same model without one. */
async function start(of: Form, strategy: Strategy, accounts: Readonly<Record<string, Settings>>) {
  await using starting = new AsyncDisposableStack()
  const fakes: Record<string, Awaited<ReturnType<typeof startAccount>>> = {}
  const settings: AccountSettings[] = []
  for (const [id, { form: own = of, answer = serving(own), ...rest }] of Object.entries(accounts)) {
    fakes[id] = starting.use(await startAccount(answer))
    settings.push(accountFor(own, id, fakes[id].url, { models: ['m', 'other'], ...rest }))
  }
  const gateway = starting.use(
    await createTestGateway({
      accounts: settings,
      aliases: { fast: { model: 'm', strategy } },
      keys: [{ id: 'test', secret: 'test-secret', explain: true }],
    }),
  )
  const started = starting.move()
  return {
    gateway,
    fakes,
    async ask(stream = false, model = 'fast') {
      const headers = { 'x-dragoman-explain': '1' }
      const response = await ask(gateway, of, { model, stream, headers })
      await response.text()
      const route = JSON.parse(response.headers.get('x-dragoman-route')!) as { rule: string }
      return { account: response.headers.get('x-dragoman-account'), rule: route.rule }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const rate = (input: number, output: number) => ({ m: { rates: { input, output } } })

describe.each(forms)('$name: cost', (one) => {
  test('takes the lowest price, free ones first, unknown ones last', async () => {
    for (const stream of [false, true]) {
      await using stage = await start(one, 'cost', {
        dear: { prices: rate(10, 10), weight: 1e6 },
        cheap: { prices: rate(1, 1) },
        unknown: { weight: 1e6 },
      })
      expect(await stage.ask(stream)).toEqual({ account: 'cheap', rule: 'priority and cost' })
      await using other = await start(one, 'cost', {
        cheap: { prices: rate(1, 1), weight: 1e6 },
        own: { prices: 'free' },
      })
      expect((await other.ask(stream)).account).toBe('own')
    }
  })

  test('asks a native account before a cheaper one that needs a translation', async () => {
    await using stage = await start(one, 'cost', {
      native: { prices: rate(9, 9) },
      cheap: { prices: 'free', form: otherOf(one) },
    })
    expect((await stage.ask()).account).toBe('native')
  })

  test('compares translated accounts too', async () => {
    const other = otherOf(one)
    await using stage = await start(one, 'cost', {
      dear: { prices: rate(9, 9), form: other, weight: 1e6 },
      cheap: { prices: rate(1, 1), form: other },
    })
    expect((await stage.ask(true)).account).toBe('cheap')
  })
})

test('images are compared by the prices of images', async () => {
  await using sandbox = await startSandbox()
  const account = { provider: 'sandbox', baseUrl: sandbox.url, models: ['gpt-image-1'] }
  const price = (image: string) => ({ 'gpt-image-1': { units: { image } } })
  await using gateway = await createTestGateway({
    accounts: [
      { ...account, id: 'a', apiKey: 'sandbox-key-a', prices: price('0.04'), weight: 1e6 },
      { ...account, id: 'b', apiKey: 'sandbox-key-b', prices: price('0.02') },
    ],
    aliases: { 'gpt-image-1': { model: 'gpt-image-1', strategy: 'cost' } },
  })
  const response = await fetch(`${gateway.url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-image-1', prompt: 'a harbour' }),
  })
  expect([response.status, response.headers.get('x-dragoman-account')]).toEqual([200, 'b'])
})

test('priority goes before a strategy', async () => {
  await using stage = await start(form.chat, 'cost', {
    dear: { prices: rate(9, 9) },
    cheap: { prices: 'free', priority: 1 },
  })
  expect((await stage.ask()).account).toBe('dear')
})

test('the next account after a failure is the next by the strategy', async () => {
  const failing: Answer = (response) => void response.writeHead(500).end()
  await using stage = await start(form.chat, 'cost', {
    dear: { prices: rate(9, 9), weight: 1e6 },
    middle: { prices: rate(5, 5) },
    cheap: { prices: rate(1, 1), answer: failing },
  })
  expect((await stage.ask()).account).toBe('middle')
})

describe.each(forms)('$name: latency', (one) => {
  test.each([
    ['streams', true],
    ['whole replies', false],
  ])('takes the quickest account for %s once each has had a call', async (_, stream) => {
    const gate = createGate()
    const slow: Answer = async (response, request) => {
      if (stream) openStream(response, one.announcements)
      await gate.opened
      if (!stream) return serving(one)(response, request)
      response.end([...one.output, ...one.ending].join(''))
    }
    await using stage = await start(one, 'latency', {
      slow: { answer: slow, weight: 1e6 },
      quick: { answer: serving(one) },
    })
    const first = stage.ask(stream)
    await until(() => stage.fakes['slow']!.requests.length === 1)
    const quick = { account: 'quick', rule: 'priority and latency' }
    // Others do not wait for the first answer of an account.
    for (let count = 0; count < 3; count++) expect(await stage.ask(stream)).toEqual(quick)
    // All calls above together, and more, are longer than each of them.
    await new Promise((resolve) => setTimeout(resolve, 200))
    gate.open()
    expect((await first).account).toBe('slow')
    for (let count = 0; count < 3; count++) expect(await stage.ask(stream)).toEqual(quick)
  })
})

describe.each(forms)('$name: least-busy', (one) => {
  test('takes the account with the fewest calls in flight, those of other models too', async () => {
    const waiting: (() => void)[] = []
    const held: Answer = async (response) => {
      openStream(response, [...one.announcements, one.output[0]!])
      await new Promise<void>((resolve) => waiting.push(resolve))
      response.end([one.output[1]!, ...one.ending].join(''))
    }
    await using stage = await start(one, 'least-busy', {
      a: { answer: held, weight: 1e6 },
      b: { answer: held },
    })
    const counts = () => Object.values(stage.fakes).map((fake) => callsTo(fake).length)
    const running: Promise<unknown>[] = []
    const begin = async (model: string) => {
      const before = waiting.length
      running.push(stage.ask(true, model))
      await until(() => waiting.length > before)
      return counts()
    }
    expect(await begin('other')).toEqual([1, 0])
    expect(await begin('fast')).toEqual([1, 1])
    expect(await begin('fast')).toEqual([2, 1])
    expect(await begin('fast')).toEqual([2, 2])
    for (const open of waiting) open()
    await Promise.all(running)
    // All are over, so that weights decide.
    const last = begin('fast')
    expect(await last).toEqual([3, 2])
    for (const open of waiting) open()
    await Promise.all(running)
  })
})

test('a model without a strategy keeps its weights', async () => {
  await using stage = await start(form.chat, 'cost', {
    dear: { prices: rate(9, 9), weight: 1e6 },
    cheap: { prices: 'free' },
  })
  expect(await stage.ask(false, 'm')).toEqual({ account: 'dear', rule: 'priority and weight' })
})
