import { expect, test } from 'vitest'

import { bindingKeyOf } from '../../../src/stores/bindings.ts'
import { type Desk, dataOf, openDesk, respond, sandboxAccount } from './desk.ts'

interface Shown {
  readonly id: string | null
  readonly kind: string
  readonly keyId: string
  readonly accountId: string
  readonly isStored: boolean
}

/** `native` keeps its responses; for `chat` the gateway stores them. */
const accounts = [
  sandboxAccount('native', { models: ['sandbox/whoami'] }),
  sandboxAccount('chat', { models: ['sandbox/echo'], speaks: ['chat'] }),
]

const byText = (one: string | null, other: string | null) => (String(one) < String(other) ? -1 : 1)

function idsOf(nodes: readonly Shown[]): (string | null)[] {
  return nodes.map(({ id }) => id).toSorted(byText)
}

async function status({ gateway }: Desk, id: string): Promise<number> {
  const reply = await fetch(`${gateway.url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  })
  await reply.text()
  return reply.status
}

test('an operator finds out which account owns a response, at the gateway and in its store', async () => {
  await using desk = await openDesk(accounts)
  const native = await respond(desk, { model: 'sandbox/whoami' })
  const stored = await respond(desk)
  for (const ask of [desk.remote, desk.local]) {
    const all = dataOf(await ask('bindings list --json --kind response --key test')) as Shown[]
    expect(idsOf(all)).toEqual([native.id, stored.id].toSorted(byText))
    const own = dataOf(await ask('bindings list --json --account native')) as Shown[]
    expect(own).toContainEqual(expect.objectContaining({ id: native.id, isStored: false }))
    const table = (await ask('bindings list --account native --kind response')).stdout
    expect(table).toMatch(/^ID +KIND +KEY +ACCOUNT +MODEL +CHAIN UNTIL +EXPIRES\n/)
    expect(table).toContain(`${native.id}  response  test  native   sandbox/whoami  20`)
    const none = await ask('bindings list --key other')
    expect(none).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No bindings match. `keys list` shows the ids of keys.\n',
    })
    const odd = (await ask('bindings list --kind respons')).stderr
    expect(odd).toContain(
      'are response, conversation, item, container, file, audio, message, not "respons"',
    )
    expect(odd).toContain('Did you mean `response`?')

    expect((await ask('bindings list --key other --json')).stdout).toBe('[]\n')
  }
})

test('the binding of an id is the same both ways, with what a client is answered', async () => {
  await using desk = await openDesk(accounts)
  const { id } = await respond(desk, { model: 'sandbox/whoami' })
  const remote = await desk.remote(`bindings show ${id} --key test --json`, 'viewer')
  expect(dataOf(remote)).toMatchObject({
    state: 'FOUND',
    binding: { id, kind: 'response', accountId: 'native' },
    answers: [
      { use: 'CHAIN', status: 200, code: null, accountId: 'native' },
      { use: 'READ', status: 200, accountId: 'native' },
    ],
  })
  const local = await desk.local(`bindings show ${id} --key test --json`)
  expect(dataOf(local)).toEqual(dataOf(remote))
  await desk.remote('accounts disable native --reason drill')
  for (const ask of [desk.remote, desk.local]) {
    const away = await ask(`bindings show ${id} --key test`)
    expect(away.stdout).toMatch(
      /^A call in responses that continues it gets 503 previous_response_acc\w+: /m,
    )
    const missing = await ask(`bindings show ${id} --key other`)
    expect(missing).toMatchObject({
      code: 1,
      stderr: `dragoman: The key "other" has no binding "${id}". There is no key \`other\`.\n`,
    })
    expect(missing.stdout).toMatch(
      /^A call in responses that continues it gets 400 previous_response_not_found: /m,
    )
  }
})

test('an operator forgets a response with what the gateway has stored of it', async () => {
  await using desk = await openDesk(accounts)
  for (const ask of [desk.remote, desk.local]) {
    const { id } = await respond(desk)
    expect(await status(desk, id)).toBe(200)
    expect((await ask(`bindings forget ${id} --key test`)).code).toBe(2)
    const forgotten = await ask(`bindings forget ${id} --key test --reason erasure --json`)
    expect(dataOf(forgotten)).toEqual({ id, kind: 'response', keyId: 'test' })
    expect(await status(desk, id)).toBe(404)
    const again = await ask(`bindings forget ${id} --key test --kind response --reason erasure`)
    expect(again).toMatchObject({ code: 1, stdout: '' })
  }
  // Items of the content have bindings of their own.
  expect(dataOf(await desk.remote('bindings list --json'))).toEqual([])
  const audit = (await desk.remote('audit export')).stdout.trim().split('\n')
  const forgets = audit.filter((line) => /"binding.forget".*"erasure".*"DONE"/.test(line))
  expect(forgets).toHaveLength(2)
})

test('a binding that is not there leaves the same record from the gateway and from its store', async () => {
  await using desk = await openDesk(accounts)
  for (const ask of [desk.remote, desk.local]) {
    for (const kind of ['', ' --kind conversation']) {
      const missing = await ask(`bindings forget conv_1 --key test --reason drill${kind}`)
      expect(missing).toMatchObject({ code: 1, stdout: '' })
      expect(missing.stderr).toBe('dragoman: The key "test" has no binding "conv_1".\n')
    }
  }
  const exported = (await desk.remote('audit export')).stdout.trim().split('\n')
  const records = exported.map((line) => JSON.parse(line) as Record<string, unknown>)
  const drills = records.filter(({ reason, result }) => reason === 'drill' && result !== 'BEGUN')
  const record = (kind: string) =>
    expect.objectContaining({
      action: 'binding.forget',
      target: { type: 'binding', id: `test ${kind} conv_1` },
      result: 'FAILED',
      message: 'The key "test" has no binding "conv_1".',
    })
  const both = [record('*'), record('conversation')]
  expect(drills).toEqual([...both, ...both])
})

test('a viewer who forgets a binding that is not there is refused', async () => {
  await using desk = await openDesk(accounts)
  const refused = await desk.remote('bindings forget conv_1 --key test --reason drill', 'viewer')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).not.toContain('has no binding')
  expect((await desk.remote('audit export')).stdout).toMatch(/"binding.forget".*"REFUSED"/)
})

test('a store in memory ends with the command: nothing is forgotten in it', async () => {
  await using desk = await openDesk(accounts)
  const words = 'bindings forget r --key test --reason erasure --store memory:'
  const refused = await desk.local(words)
  expect(refused.code).toBe(3)
  expect(refused.stderr).toContain('--url')
})

test('a damaged binding is forgotten at the gateway and in its store, whatever its kind', async () => {
  await using desk = await openDesk(accounts)
  const records = desk.gateway.running.store.records('bindings')
  for (const ask of [desk.remote, desk.local]) {
    const recordId = bindingKeyOf({ kind: 'conversation', keyId: 'test', id: 'conv_1' })
    await records.set(recordId, { account: 7 }, { ttlMs: 60_000 })
    const forget = () => ask('bindings forget conv_1 --key test --reason drill --json')
    expect(dataOf(await forget())).toEqual({ id: 'conv_1', kind: 'conversation', keyId: 'test' })
    expect(await records.get(recordId)).toBeUndefined()
    expect((await forget()).stderr).toBe('dragoman: The key "test" has no binding "conv_1".\n')
  }
})
