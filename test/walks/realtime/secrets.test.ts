import OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { refusalIn } from '../images/stage.ts'
import { connect, realtimeStage, say } from './stage.ts'

const path = '/v1/realtime/client_secrets'
const session = { type: 'realtime', model: 'gpt-realtime', instructions: 'Be brief.' }

type Secret = { value: string; expires_at: number; session: Record<string, unknown> }

async function made(response: Response): Promise<Secret> {
  expect(response.status).toBe(200)
  return (await response.json()) as Secret
}

describe('a client secret', () => {
  test('opens the session that the account has prepared, in a header and as a subprotocol', async () => {
    await using stage = await realtimeStage()
    const { openai, sandbox } = stage
    const secret = await openai.realtime.clientSecrets.create({ session: session as never })
    expect(secret.value).toMatch(/^ek_[\w-]{43}$/)
    expect(secret.session).toMatchObject({ model: 'gpt-realtime', instructions: 'Be brief.' })
    const { value: key } = secret
    using one = await connect(stage, { key })
    const protocols = ['realtime', `openai-insecure-api-key.${key}`]
    using other = await connect(stage, { protocols })
    expect(other.socket.protocol).toBe('realtime')
    for (const client of [one, other]) {
      const created = await client.next('session.created')
      expect(created).toMatchObject({ session: { instructions: 'Be brief.' } })
      say(client, 'hello')
      await client.next('response.done')
    }
    const sent = sandbox.requests.map(({ headers }) => JSON.stringify(headers)).join()
    expect(sent).not.toContain(key)
    const shown = JSON.stringify([secret, one.events, other.events])
    expect(shown.match(/ek_[0-9a-f]{24}\b/)).toBeNull()
    one.socket.close()
    other.socket.close()
    const lines = await stage.gateway.logged(5)
    expect(lines.every(({ key_id: id }) => id === 'test')).toBe(true)
    const logs = JSON.stringify([lines, stage.gateway.log])
    expect(logs).not.toContain(key)
  })

  test('opens nothing else', async () => {
    await using stage = await realtimeStage()
    const { value: key } = await made(await stage.json({ session }, path))
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    for (const [place, body] of [
      ['/v1/chat/completions', { model: 'gpt-realtime', messages: [] }],
      [path, { session }],
      ['/v1/realtime/responses', { turn: 'x' }],
    ] as const) {
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      expect((await fetch(stage.gateway.url + place, init)).status).toBe(401)
    }
    expect((await fetch(`${stage.gateway.url}/v1/models`, { headers })).status).toBe(401)
  })

  test.each([
    ['for another model', 'model=gpt-realtime-mini', (key: string) => key, 400],
    ['that is tampered with', 'model=gpt-realtime', (key: string) => `${key.slice(0, -1)}!`, 401],
    ['that is unknown', 'model=gpt-realtime', () => `ek_${'A'.repeat(43)}`, 401],
  ])('%s opens nothing', async (_case, query, change, status) => {
    await using stage = await realtimeStage()
    const { value } = await made(await stage.json({ session }, path))
    await expect(connect(stage, { key: change(value), query })).rejects.toMatchObject({ status })
    expect(stage.sandbox.requests).toHaveLength(1)
  })

  test('needs no model in the query', async () => {
    await using stage = await realtimeStage()
    const { value: key } = await made(await stage.json({ session }, path))
    using client = await connect(stage, { key, query: '' })
    expect(await client.next('session.created')).toMatchObject({
      session: { model: 'gpt-realtime' },
    })
  })

  test('ends at its time, and an open session outlasts it', async () => {
    let passed = 0
    await using stage = await realtimeStage({ now: () => Date.now() + passed })
    const after = { expires_after: { anchor: 'created_at', seconds: 10 } }
    const { value: key, expires_at: end } = await made(
      await stage.json({ session, ...after }, path),
    )
    expect(end).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 10)
    using client = await connect(stage, { key })
    passed = 11_000
    await expect(connect(stage, { key })).rejects.toMatchObject({ status: 401 })
    say(client, 'still here')
    await client.next('response.done')
    const lines = await stage.gateway.logged(3)
    expect(lines.find(({ status }) => status === 401)).toMatchObject({
      key_refused: 'expired',
      key_id: 'test',
    })
  })

  test('ends with its API key, and an open session with it', async () => {
    await using stage = await realtimeStage({
      keys: [{ id: 'mine', secret: 'mine-secret' }],
      admin: true,
    })
    const own = new OpenAI({ apiKey: 'mine-secret', baseURL: `${stage.gateway.url}/v1` })
    const { value: key } = await own.realtime.clientSecrets.create({ session: session as never })
    using client = await connect(stage, { key })
    await client.next('session.created')
    const disable = 'mutation { disableKey(input: { id: "mine", reason: "test" }) { __typename } }'
    const answer = await stage.gateway.admin!.ask(disable)
    expect(JSON.stringify(answer)).toContain('DisableKeySuccess')
    await expect(connect(stage, { key })).rejects.toMatchObject({ status: 401 })
    say(client, 'hello')
    expect(await client.next('error')).toMatchObject({ error: { type: 'authentication_error' } })
    expect(await client.closed).toMatchObject({ code: 1008 })
  })

  test('may use what its API key may use now, in an open session too', async () => {
    const keys = [{ id: 'mine', secret: 'mine-secret', team: 'voices' }]
    await using stage = await realtimeStage({ keys, teams: [{ id: 'voices' }] })
    const own = new OpenAI({ apiKey: 'mine-secret', baseURL: `${stage.gateway.url}/v1` })
    const { value: key } = await own.realtime.clientSecrets.create({ session: session as never })
    using client = await connect(stage, { key })
    await client.next('session.created')
    stage.gateway.reload({ teams: [{ id: 'voices', models: ['others'] }] })
    await expect(connect(stage, { key })).rejects.toMatchObject({ status: 404 })
    say(client, 'hello')
    expect(await client.next('error')).toMatchObject({ error: { code: 'model_not_found' } })
  })

  test('is no key of another key, in lists and for accounts', async () => {
    const store = openMemoryStore()
    await using stage = await realtimeStage({ store, admin: true })
    const { value: key } = await made(await stage.json({ session }, path))
    const listed = await stage.gateway.admin!.ask('{ keys(first: 50) { nodes { id } } }')
    expect(JSON.stringify(listed)).not.toContain('ek_')
    const pages = await store.records('ephemeral-keys').scan()
    const stored = JSON.stringify(pages)
    expect(stored).not.toContain(key)
    expect(stored).not.toMatch(/ek_/)
  })

  test.each([
    [{}, 400, 'session'],
    [{ session: { type: 'realtime' } }, 400, 'session.model'],
    [{ session: { ...session, type: 'transcription' } }, 400, 'session.type'],
    [{ session, expires_after: { seconds: 9 } }, 400, 'expires_after.seconds'],
    [{ session, expires_after: { seconds: 7_201 } }, 400, 'expires_after.seconds'],
    [{ session, expires_after: { anchor: 'never' } }, 400, 'expires_after.anchor'],
    [{ session: { ...session, voice: 'x' } }, 400, 'session.voice'],
    [
      { session: { ...session, prompt: { variables: { x: { file_id: 'file-1' } } } } },
      400,
      'file_id',
    ],
  ])('is refused for %j', async (body, status, param) => {
    await using stage = await realtimeStage()
    expect(await refusalIn(await stage.json(body, path))).toMatchObject({ status, param })
  })

  test('of a reply without one is an error of the account', async () => {
    await using stage = await realtimeStage()
    const response = await stage.json({ session: { ...session, model: 'sandbox/badjson' } }, path)
    expect(response.status).toBe(502)
  })
})
