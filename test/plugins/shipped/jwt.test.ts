import Anthropic from 'anthropic-1'
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose'
import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import jwt from '../../../plugins/jwt/index.ts'
import { issuerKeys } from '../../../plugins/jwt/issuer-keys.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import { answerJson, type FakeAccount, startFakeAccount } from '../../../src/testing/index.ts'
import { until } from '../../../src/testing/until.ts'
import { startEndless } from '../../endless.ts'
import { setBack } from '../../set-back.ts'
import { askChat, type Scene, stage } from '../../third-party/chat.ts'

const issuer = 'https://login.example.com'
const audience = 'gateway'

/** What the plugin adds to a line of the access log. */
interface Fields {
  readonly jwt: { readonly refused?: string }
}

/** `undefined` leaves one out. */
type Claims = { readonly [Name in keyof JWTPayload]: JWTPayload[Name] | undefined }

interface Issuer extends AsyncDisposable {
  /** Whether its answers are errors. */
  isAway: boolean
  readonly server: FakeAccount
  readonly publicKey: CryptoKey
  /** Signs a token for an hour, unless the claims or the head say otherwise. */
  sign(claims?: Claims, head?: { kid?: string }): Promise<string>
}

async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  const server = await startFakeAccount((response, request) => {
    if (login.isAway) response.writeHead(500).end()
    else void answerJson({ keys: [jwk] })(response, request)
  })
  const login: Issuer = {
    isAway: false,
    server,
    publicKey,
    sign: (claims = {}, { kid = 'k1' } = {}) =>
      new SignJWT({
        sub: 'ada',
        iss: issuer,
        aud: audience,
        exp: seconds(3_600),
        ...claims,
      } as JWTPayload)
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(privateKey),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return login
}

const seconds = (from: number) => Math.floor(Date.now() / 1_000) + from

/** A gateway at whose clock tests turn. */
async function stageWithClock({ server }: Issuer): Promise<{ scene: Scene; clock: Clock }> {
  const clock = { now: 0 }
  const jwks = `${server.url}/jwks`
  const plugin = jwt(
    { issuer, audience, jwks, models: ['m'] },
    issuerKeys(jwks, () => clock.now),
  )
  return { scene: await stage({ plugins: [plugin] }), clock }
}

interface Clock {
  /** In milliseconds. */
  now: number
}

/** A gateway that knows callers by the tokens of the issuer. */
function stageFor({ server }: Issuer, options: object = {}): Promise<Scene> {
  const jwks = `${server.url}/jwks`
  return stage({ plugins: [jwt({ issuer, audience, jwks, models: ['m'], ...options })] })
}

test('a subject is the caller of no API key, whatever the id of the key', async () => {
  await using login = await startIssuer()
  await using scene = await stageFor(login)
  await askChat(scene.gateway, { key: await login.sign() })
  const [line] = await scene.gateway.logged(1)
  const id = String(line!['key_id'])
  const keysOf = (name: string) =>
    resolveSettings({ keys: [{ id: name, secret: 'env:KEY' }] }, { env: { KEY: 'k'.repeat(40) } })
  expect(keysOf('jwt:ada').keys).toMatchObject([{ id: 'jwt:ada' }])
  expect(id).toContain('ada')
  expect(() => keysOf(id)).toThrow('keys[0].id')
})

test('official SDKs send a token in place of a key', async () => {
  await using login = await startIssuer()
  await using scene = await stageFor(login)
  const apiKey = await login.sign()
  const openai = new OpenAI({ baseURL: `${scene.gateway.url}/v1`, apiKey })
  const answer = await openai.chat.completions.create({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
  })
  expect(answer.choices[0]?.message.content).toBe('hello')
  const anthropic = new Anthropic({ baseURL: scene.gateway.url, apiKey })
  const page = await anthropic.models.list()
  expect(page.data.map(({ id }) => id)).toEqual([])
  const [line] = await scene.gateway.logged(2)
  expect(line).toMatchObject({ key_id: '@jwt:ada' })
  expect(login.server.requests).toHaveLength(1)
  for (const { headers } of scene.account.requests) {
    expect(headers.authorization).toBe('Bearer key-of-only')
    expect(JSON.stringify(headers)).not.toContain(apiKey)
  }
})

test('an issuer whose keys have no end fills no memory', async () => {
  await using login = await startIssuer()
  await using endless = await startEndless()
  const plugin = jwt({ issuer, audience, jwks: endless.url, models: ['m'] })
  await using scene = await stage({ plugins: [plugin] })
  const response = await askChat(scene.gateway, { key: await login.sign() })
  expect(response.status).toBe(503)
  expect(await endless.left()).toBeLessThan(32 * 1024 * 1024)
})

test('the keys of the gateway work beside tokens', async () => {
  await using login = await startIssuer()
  await using scene = await stageFor(login)
  expect((await askChat(scene.gateway)).status).toBe(200)
  expect((await askChat(scene.gateway, { key: 'unknown' })).status).toBe(401)
  expect(login.server.requests).toEqual([])
})

test.each<[string, Claims, string]>([
  ['has expired', { exp: seconds(-120) }, 'expired'],
  ['is not valid yet', { nbf: seconds(120) }, 'not_yet_valid'],
  ['never expires', { exp: undefined }, 'no_expiry'],
  ['is for another service', { aud: 'mail' }, 'audience'],
  ['is from another issuer', { iss: 'https://evil.example' }, 'issuer'],
  ['names nobody', { sub: '' }, 'subject'],
  ['has a name that breaks lines', { sub: 'a\nb' }, 'subject'],
])('a token that %s is refused, no account is asked, and operators learn why', async (...row) => {
  const [, claims, refused] = row
  await using login = await startIssuer()
  await using scene = await stageFor(login)
  const key = await login.sign(claims)
  const response = await askChat(scene.gateway, { key })
  expect(response.status).toBe(401)
  const text = await response.text()
  expect(text).not.toContain(key)
  expect(text).toContain(refused === 'expired' ? 'has expired.' : 'The token is not valid here.')
  expect(scene.account.requests).toEqual([])
  const [line] = await scene.gateway.logged(1)
  expect(line).toMatchObject({ plugins: { jwt: { refused } } })
  const ofKey = refused === 'expired' ? ['@jwt:ada', 'expired'] : [undefined, undefined]
  expect([line!['key_id'], line!['key_refused']]).toEqual(ofKey)
  expect(JSON.stringify(line)).not.toContain(key)
})

test('a token that is signed by anything else is refused', async () => {
  await using login = await startIssuer()
  await using scene = await stageFor(login, { algorithms: ['ES256'] })
  await using other = await startIssuer()
  const [head, body] = (await login.sign()).split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const shared = new TextEncoder().encode(await exportSPKI(login.publicKey))
  const claims = { sub: 'ada', iss: issuer, aud: audience, exp: seconds(60) }
  const confused = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .sign(shared)
  const forged = [
    await other.sign(),
    await login.sign({}, { kid: 'unknown' }),
    `${none}.${body}.`,
    `${none}.${body}.x`,
    `${head}.${body}.AAAA`,
    confused,
    `${'a'.repeat(8_000)}.${'b'.repeat(8_000)}.c`,
  ]
  for (const key of forged) expect((await askChat(scene.gateway, { key })).status).toBe(401)
  expect(scene.account.requests).toEqual([])
  const lines = await scene.gateway.logged(forged.length)
  const reasons = lines.map(({ plugins }) => (plugins as Fields | undefined)?.jwt.refused)
  const [algorithm, noToken] = ['algorithm', undefined]
  const expected = ['signature', 'unknown_key', noToken, algorithm, 'signature', algorithm]
  expect(reasons).toEqual([...expected, 'malformed'])
})

test('a token has its models in a claim, or those of the options', async () => {
  await using login = await startIssuer()
  const options = { modelsClaim: 'access.models', models: ['n'], subject: 'email' }
  await using scene = await stageFor(login, options)
  const statusOf = async (claims: object, model: string) => {
    const key = await login.sign({ email: 'ada@example.com', ...claims })
    return (await askChat(scene.gateway, { key, fields: { model } })).status
  }
  expect(await statusOf({ access: { models: ['m*'] } }, 'm-1')).toBe(200)
  expect(await statusOf({ access: { models: 'k m' } }, 'm')).toBe(200)
  expect(await statusOf({ access: { models: ['m*'] } }, 'n')).toBe(404)
  expect(await statusOf({ access: { models: 7 } }, 'n')).toBe(404)
  expect(await statusOf({}, 'n')).toBe(200)
  expect(await statusOf({}, 'm')).toBe(404)
})

test('while the issuer is away a client is told to come again, and known keys go on', async () => {
  await using login = await startIssuer()
  const key = await login.sign()
  await using known = await stageFor(login)
  expect((await askChat(known.gateway, { key })).status).toBe(200)
  await using fresh = await stageFor(login)
  await login.server[Symbol.asyncDispose]()
  expect((await askChat(known.gateway, { key })).status).toBe(200)
  const response = await askChat(fresh.gateway, { key })
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  expect(await response.text()).not.toContain(key)
  const [line] = await fresh.gateway.logged(1)
  expect(line).toMatchObject({ plugins: { jwt: { refused: 'keys_unavailable' } } })
})

const minute = 60_000

test('known keys go on for a day while the issuer is away, and tokens that anybody makes up do not ask it again and again', async () => {
  await using login = await startIssuer()
  const { scene, clock } = await stageWithClock(login)
  await using _ = scene
  const [key, unknown] = [await login.sign(), await login.sign({}, { kid: 'unknown' })]
  const statusOf = async (token: string) => (await askChat(scene.gateway, { key: token })).status
  const asked = () => login.server.requests.length
  expect(await statusOf(key)).toBe(200)
  expect(await statusOf(unknown)).toBe(401)
  expect(asked()).toBe(1)

  login.isAway = true
  clock.now += minute
  for (let call = 0; call < 5; call++) expect(await statusOf(unknown)).toBe(503)
  expect(asked()).toBe(2)

  clock.now += 20 * minute
  for (let call = 0; call < 5; call++) expect(await statusOf(key)).toBe(200)
  await until(() => Promise.resolve(asked() === 3))

  clock.now += 24 * 60 * minute
  expect(await statusOf(key)).toBe(503)
  login.isAway = false
  clock.now += minute
  expect(await statusOf(key)).toBe(200)
})

test('a clock that is set back puts off no look-up of the keys', async () => {
  await using login = await startIssuer()
  await using scene = await stageFor(login)
  const key = await login.sign()
  login.isAway = true
  expect((await askChat(scene.gateway, { key })).status).toBe(503)
  login.isAway = false

  using clock = setBack()
  clock.pass(minute)
  expect((await askChat(scene.gateway, { key })).status).toBe(200)
})

test('a key set that is none is no fault of the token', async () => {
  await using login = await startIssuer()
  await using odd = await startFakeAccount(answerJson({ keys: 'none' }))
  const keys = issuerKeys(odd.url, () => 0)
  const plugins = [jwt({ issuer, audience, jwks: odd.url }, keys)]
  await using scene = await stage({ plugins })
  const key = await login.sign()
  for (let call = 0; call < 3; call++) {
    expect((await askChat(scene.gateway, { key })).status).toBe(503)
  }
  expect(odd.requests).toHaveLength(1)
})

test('operators learn of an outage of the issuer once, see it in a probe, and learn of its end', async () => {
  await using login = await startIssuer()
  const key = await login.sign()
  const jwks = `${login.server.url}/jwks`
  const clock = { now: 0 }
  const plugin = jwt(
    { issuer, audience, jwks, models: ['m'] },
    issuerKeys(jwks, () => clock.now),
  )
  await using scene = await stage({ plugins: [plugin] })
  const state = () => plugin.probes?.keys?.()
  login.isAway = true
  for (let call = 0; call < 3; call++) {
    expect((await askChat(scene.gateway, { key })).status).toBe(503)
    clock.now += minute
  }
  const message = expect.stringContaining(
    'the keys of the token issuer cannot be read: The issuer answers 500',
  )
  expect(state()).toEqual({ ok: false, message })
  login.isAway = false
  expect((await askChat(scene.gateway, { key })).status).toBe(200)
  expect(state()).toEqual({ ok: true })
  const { host } = new URL(jwks)
  expect(scene.gateway.log).toMatchObject([
    { level: 'warn', msg: message, plugin: 'jwt', host },
    { level: 'info', msg: 'the keys of the token issuer can be read again', host },
  ])
  expect(JSON.stringify(scene.gateway.log)).not.toContain(key)
})
