import OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { type AccessFields, type Received, definePlugin } from '../../src/index.ts'
import { askChat, stage } from './chat.ts'

/** Fields under the name of a plugin, whatever their types say. */
const returning = (fields: unknown, name = 'mine') =>
  definePlugin({ name, onAccessLog: () => fields as AccessFields })

async function lineWith(...plugins: ReturnType<typeof returning>[]) {
  await using scene = await stage({ plugins })
  await (await askChat(scene.gateway)).arrayBuffer()
  const [line] = await scene.gateway.logged(1)
  return { line, log: scene.gateway.log }
}

describe('a plugin with fields in the access log', () => {
  test('has them under its own name, beside those of others', async () => {
    const { line } = await lineWith(
      returning({ tenant: 'acme', tokens: 3, cached: false, missing: undefined }, 'billing'),
      returning({ flagged: 2 }, 'guardrail'),
      returning(undefined, 'silent'),
      returning({}, 'empty'),
    )
    expect(line?.plugins).toEqual({
      billing: { tenant: 'acme', tokens: 3, cached: false },
      guardrail: { flagged: 2 },
    })
  })

  test('replaces no field of the gateway', async () => {
    const { line } = await lineWith(
      returning({ status: 500, key_id: 'other', request_id: 'x' }, 'status'),
      returning({ a: 1 }, '__proto__'),
    )
    expect(line).toMatchObject({ status: 200, key_id: 'test', msg: 'exchange' })
    expect(line?.request_id).toMatch(/^req_/)
    expect(JSON.stringify(line?.plugins)).toBe(
      '{"status":{"status":500,"key_id":"other","request_id":"x"},"__proto__":{"a":1}}',
    )
  })

  test('has 16 of bounded size, and what cannot be used is left out and reported', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, index]))
    const { line, log } = await lineWith(
      returning(many, 'many'),
      returning({ long: 'x'.repeat(10_000) }, 'long'),
      returning({ ok: 1, 'line\nbreak': 1, nested: { a: 1 }, list: [1], big: 1n, not: NaN }, 'odd'),
    )
    const {
      many: first,
      long,
      odd,
    } = Object(line?.plugins) as Record<string, Record<string, unknown>>
    expect(Object.keys(first ?? {})).toHaveLength(16)
    expect(long?.long).toHaveLength(259)
    expect(odd).toEqual({ ok: 1 })
    const failed = log.filter(({ msg }) => String(msg).endsWith('onAccessLog failed'))
    expect(failed.map(({ plugin }) => plugin)).toEqual(['many', 'odd'])
  })

  test.each<[string, () => AccessFields]>([
    [
      'throws',
      () => {
        throw new Error('no fields today')
      },
    ],
    ['returns a promise', () => Promise.resolve({ late: 1 }) as never],
    ['returns a text', () => 'tenant=acme' as never],
    [
      'has a field that throws',
      () => Object.defineProperty({}, 'x', { enumerable: true, get: fail }),
    ],
  ])('that %s leaves the line and other fields alone', async (_, onAccessLog) => {
    const bad = definePlugin({ name: 'bad', onAccessLog })
    const { line, log } = await lineWith(bad, returning({ fine: true }))
    expect(line).toMatchObject({ status: 200, plugins: { mine: { fine: true } } })
    expect(line?.plugins).not.toHaveProperty('bad')
    expect(log).toContainEqual(
      expect.objectContaining({
        msg: 'bad: onAccessLog failed',
        plugin: 'bad',
        request_id: line?.request_id,
      }),
    )
  })

  test('keeps those of each call apart, though it uses one object for all', async () => {
    const shared: Record<string, string> = {}
    const texts = new WeakMap<Received, string>()
    const plugin = definePlugin({
      name: 'echo',
      onCall({ exchange, next }) {
        texts.set(exchange, String(exchange.request.headers['x-number']))
        return next()
      },
      onAccessLog({ exchange }) {
        shared.number = texts.get(exchange) ?? ''
        return shared
      },
    })
    await using scene = await stage({ plugins: [plugin] })
    const { url, key } = scene.gateway
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1` })
    const numbers = Array.from({ length: 30 }, (_, index) => String(index))
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const ids = await Promise.all(
      numbers.map(async (number) => {
        const headers = { 'x-number': number }
        const create = client.chat.completions.create({ model: 'm', messages }, { headers })
        return [(await create.withResponse()).request_id, number] as const
      }),
    )
    const lines = await scene.gateway.logged(numbers.length)
    const logged = new Map(
      lines.map(({ request_id, plugins }) => [request_id, (plugins as never)['echo']['number']]),
    )
    expect(logged).toEqual(new Map(ids))
  })
})

function fail(): never {
  throw new Error('a canary of the field')
}
