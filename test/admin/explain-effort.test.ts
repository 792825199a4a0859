import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { startScene } from './explaining.ts'

const input = '{ keyId: "test", dialect: "chat", model: "sandbox/echo" }'
const fields = `operation rule pinned candidates { accountId native upstreamModel chance }
  excluded { accountId by reason until } chosen { accountId } losses { field } answer { status body }`

/** A query with so many dry runs. */
function query(count: number, headers = ''): string {
  const asked = input.replace('}', `${headers} }`)
  const all = Array.from(
    { length: count },
    (_, at) => `a${at}: explain(input: ${asked}) { ${fields} }`,
  )
  return `{ ${all.join('\n')} }`
}

test('an operation has four dry runs, and not one more', async () => {
  await using scene = await startScene({ one: { speaks: ['chat'] } })
  const { data, errors } = await scene.gateway.graph<object>(query(4))
  expect([errors, Object.keys(data)]).toEqual([[], ['a0', 'a1', 'a2', 'a3']])
  const refused = await scene.gateway.graph<object>(query(5))
  expect(refused.data ?? null).toBeNull()
  expect(refused.errors[0]!.message).toMatch(/complex|costs \d+/i)
})

/** A query with so many look-ups of an id, each with what its client would be answered. */
function lookUps(count: number): string {
  const lookUp = 'binding(keyId: "test", id: "resp_none", kind: "response")'
  const all = Array.from({ length: count }, (_, at) => `a${at}: ${lookUp} { answers { status } }`)
  return `{ ${all.join('\n')} }`
}

test('the answers of look-ups are dry runs of their token, and those of an operation are one', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let reached = 0
  const waiting = definePlugin({
    name: 'waiting',
    async onCandidates() {
      reached++
      await released
    },
  })
  await using scene = await startScene({ one: { speaks: ['chat'] } }, { plugins: [waiting] })
  const { graph } = scene.gateway
  const looking = graph<object>(lookUps(8), {}, 'viewer')
  await expect.poll(() => reached).toBe(1)
  const explaining = graph<object>(query(3), {}, 'viewer')
  await expect.poll(() => reached).toBe(2)
  for (const asked of [lookUps(1), query(1)]) {
    const { errors } = await graph<object>(asked, {}, 'viewer')
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['TOO_MANY_REQUESTS'])
  }
  const others = graph<object>(lookUps(1), {}, 'operator')
  release()
  const ended = await Promise.all([looking, explaining, others])
  expect(ended.flatMap(({ errors }) => errors)).toEqual([])
  const [{ data }] = ended
  expect(Object.values(data)).toHaveLength(8)
})

test('one token has four dry runs at once, and leaves the others to other tokens', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let reached = 0
  const waiting = definePlugin({
    name: 'waiting',
    async onCandidates({ exchange }) {
      if (exchange.request.headers['x-wait'] === undefined) return
      reached++
      await released
    },
  })
  await using scene = await startScene({ one: { speaks: ['chat'] } }, { plugins: [waiting] })
  const { graph } = scene.gateway
  const wait = ', headers: [{ name: "x-wait", value: "1" }]'
  const held = graph<object>(query(4, wait), {}, 'viewer')
  await expect.poll(() => reached).toBe(2)
  const refused = await graph<object>(query(1), {}, 'viewer')
  expect(refused.errors.map(({ extensions }) => extensions?.code)).toEqual(['TOO_MANY_REQUESTS'])
  const others = graph<object>(query(1), {}, 'operator')
  release()
  expect([(await held).errors, (await others).errors]).toEqual([[], []])
  // What has ended makes room.
  expect((await graph<object>(query(4), {}, 'viewer')).errors).toEqual([])
})
