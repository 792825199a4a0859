import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { dialects } from '../requests/dialects.ts'

beforeEach(() => {
  // What this machine may have is nothing of a test.
  vi.stubEnv('HOME', '/nonexistent')
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '')
  vi.stubEnv('GCE_METADATA_HOST', '127.0.0.1:1')
})

afterEach(() => void vi.unstubAllEnvs())

/** What a server of tokens does with a request, by a part of its path. */
type Routes = Readonly<Record<string, { status?: number; json?: object }>>

/** A gateway with an account at Vertex AI that accepts one token, and a server of tokens. */
async function startScene(account: Partial<AccountConfig> = {}) {
  await using starting = new AsyncDisposableStack()
  const directory = starting.use(await mkdtempDisposable(join(tmpdir(), 'google-')))
  const routes: { now: Routes } = { now: {} }
  const issuer = starting.use(
    await startFakeAccount((response, request) => {
      const known = Object.entries(routes.now).find(([part]) => request.url.includes(part))?.[1]
      const headers = { 'metadata-flavor': 'Google' }
      const { status = known ? 200 : 404, json = {} } = known ?? {}
      return answerJson(json, { status, headers })(response, request)
    }),
  )
  const upstream = starting.use(
    await startFakeAccount((response, request) => {
      const isValid = request.headers.authorization === 'Bearer the-token-of-the-test'
      const reply = isValid ? dialects.generate.reply : { error: { code: 401, message: 'no' } }
      return answerJson(reply, { status: isValid ? 200 : 401 })(response, request)
    }),
  )
  const gateway = starting.use(
    await createTestGateway({
      admin: true,
      accounts: [
        {
          id: 'a',
          provider: 'vertex',
          project: 'p',
          baseUrl: upstream.url,
          models: ['m'],
          ...account,
        },
      ],
    }),
  )
  const { path, credential, request } = dialects.generate
  const started = starting.move()
  return {
    routes,
    issuer,
    upstream,
    gateway,
    /** Writes a file of credentials. */
    write(name: string, content: object | string) {
      const file = join(directory.path, name)
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      return file
    },
    async ask() {
      const reply = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...credential(gateway.key) },
        body: JSON.stringify(request),
      })
      await reply.text()
      return reply.status
    },
    /** The form of a request to the server of tokens. */
    form: (index: number) =>
      Object.fromEntries(new URLSearchParams(issuer.requests[index]?.body.toString())),
    /** Waits for a line of the log about the credential. */
    async failure() {
      const found = () => gateway.log.find(({ msg }) => String(msg).includes('cannot be renewed'))
      await until(() => found() !== undefined)
      return found()
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const granted = {
  json: { access_token: 'the-token-of-the-test', expires_in: 3_600, token_type: 'Bearer' },
}

describe('the credentials of a machine', () => {
  test('are the file that GOOGLE_APPLICATION_CREDENTIALS names, and its token_uri counts', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    // The variable is read when the account is made.
    await using files = await mkdtempDisposable(join(tmpdir(), 'google-'))
    const file = join(files.path, 'service-account.json')
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file)
    await using scene = await startScene()
    scene.routes.now = { '/token': granted }
    writeFileSync(
      file,
      JSON.stringify({
        type: 'service_account',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: 'gateway@p.iam.gserviceaccount.com',
        token_uri: `${scene.issuer.url}/token`,
      }),
    )
    expect(await scene.ask()).toBe(200)
    expect(scene.form(0)['grant_type']).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  })

  test('are those of its service account, which the metadata server gives', async () => {
    await using scene = await startScene()
    vi.stubEnv('GCE_METADATA_HOST', new URL(scene.issuer.url).host)
    scene.routes.now = { '/service-accounts/default/token': granted, '/instance': {} }
    expect(await scene.ask()).toBe(200)
    const request = scene.issuer.requests.at(-1)!
    expect(request.headers['metadata-flavor']).toBe('Google')
    expect(request.url).toContain('scopes=https')
  })

  test('come with a metadata server that was not there at first', async () => {
    await using scene = await startScene()
    expect(await scene.ask()).toBe(502)
    expect(await scene.failure()).toMatchObject({
      kind: 'refused',
      reason: 'No credentials of Google Cloud are found, or they cannot be used.',
    })
    vi.stubEnv('GCE_METADATA_HOST', new URL(scene.issuer.url).host)
    scene.routes.now = { '/service-accounts/default/token': granted, '/instance': {} }
    const reset = 'mutation { clearCoolDown(input: {id: "a"}) { __typename } }'
    await until(async () => {
      await scene.gateway.admin!.ask(reset)
      return (await scene.ask()) === 200
    })
  })

  test('are refused by a metadata server that says so, and away with one that fails', async () => {
    vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present')
    await using scene = await startScene()
    vi.stubEnv('GCE_METADATA_HOST', new URL(scene.issuer.url).host)
    scene.routes.now = { '/token': { status: 403 } }
    expect(await scene.ask()).toBe(502)
    expect(await scene.failure()).toMatchObject({
      kind: 'refused',
      reason: 'The metadata server of Google Cloud refuses a token with the status 403.',
      fix: 'give the machine a service account with the scope cloud-platform',
    })
    await using other = await startScene()
    vi.stubEnv('GCE_METADATA_HOST', '127.0.0.1:1')
    expect(await other.ask()).toBe(502)
    expect(await other.failure()).toMatchObject({ kind: 'away' })
  }, 30_000)
})

test('a file of a user refreshes its token, and names the project that pays', async () => {
  await using files = await mkdtempDisposable(join(tmpdir(), 'google-'))
  const file = join(files.path, 'user.json')
  await using scene = await startScene({ googleAuth: { file } })
  scene.routes.now = { '/token': granted }
  const user = {
    type: 'authorized_user',
    client_id: 'c-1',
    client_secret: 'secret-of-the-client',
    refresh_token: 'refresh-token-of-the-user',
    quota_project_id: 'project-that-pays',
    token_uri: `${scene.issuer.url}/token`,
  }
  writeFileSync(file, JSON.stringify(user))
  expect(await scene.ask()).toBe(200)
  expect(scene.form(0)).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-token-of-the-user',
    client_id: 'c-1',
  })
  expect(scene.upstream.requests[0]?.headers['x-goog-user-project']).toBe('project-that-pays')
  scene.routes.now = { '/token': { status: 400, json: { error: 'invalid_grant' } } }
  await using again = await startScene({ googleAuth: { file } })
  expect(await again.ask()).toBe(502)
  const line = await again.failure()
  expect(line).toMatchObject({
    kind: 'refused',
    fix: 'sign in again: `gcloud auth application-default login`',
  })
  expect(JSON.stringify(again.gateway.log)).not.toContain('refresh-token-of-the-user')
})

describe('workload identity federation', () => {
  /** A file of federation, whose token comes of a file or of a URL. */
  const federated = (issuer: string, source: object) => ({
    type: 'external_account',
    audience:
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/k',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${issuer}/v1/exchange`,
    service_account_impersonation_url: `${issuer}/v1/projects/-/serviceAccounts/a:generateAccessToken`,
    credential_source: source,
  })
  const exchanged = {
    json: {
      access_token: 'federated-token',
      expires_in: 3_600,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
    },
  }
  const impersonated = {
    json: {
      accessToken: 'the-token-of-the-test',
      expireTime: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }
  const routes = { '/v1/exchange': exchanged, ':generateAccessToken': impersonated }

  test('exchanges the token of a file, and acts as a service account', async () => {
    await using files = await mkdtempDisposable(join(tmpdir(), 'google-'))
    const file = join(files.path, 'federated.json')
    await using scene = await startScene({ googleAuth: { file } })
    scene.routes.now = routes
    const token = scene.write('token', 'assertion-of-kubernetes')
    writeFileSync(file, JSON.stringify(federated(scene.issuer.url, { file: token })))
    expect(await scene.ask()).toBe(200)
    expect(scene.form(0)).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: 'assertion-of-kubernetes',
    })
    expect(scene.issuer.requests[1]?.headers.authorization).toBe('Bearer federated-token')
    expect(JSON.stringify(scene.upstream.requests[0]?.headers)).not.toContain('assertion')
    expect(JSON.stringify(scene.gateway.log)).not.toContain('assertion')
  })

  test('takes the token of a URL', async () => {
    await using files = await mkdtempDisposable(join(tmpdir(), 'google-'))
    const file = join(files.path, 'federated.json')
    await using scene = await startScene({ googleAuth: { file } })
    scene.routes.now = { ...routes, '/subject': { json: { value: 'assertion-of-a-url' } } }
    const format = { type: 'json', subject_token_field_name: 'value' }
    const source = { url: `${scene.issuer.url}/subject`, headers: { 'x-own': 'header' }, format }
    writeFileSync(file, JSON.stringify(federated(scene.issuer.url, source)))
    expect(await scene.ask()).toBe(200)
    expect(scene.issuer.requests[0]?.headers['x-own']).toBe('header')
    expect(scene.form(1)['subject_token']).toBe('assertion-of-a-url')
  })

  test.each([
    [
      'the exchange',
      { ...routes, '/v1/exchange': { status: 400, json: { error: 'invalid_grant' } } },
      /^The exchange of a federated token \(127\.0\.0\.1:\d+\) refuses a token with the status 400/,
    ],
    [
      'the impersonation',
      { ...routes, ':generateAccessToken': { status: 403, json: { error: { code: 403 } } } },
      /^The impersonation of a service account \(127\.0\.0\.1:\d+\) refuses a token with the status 403/,
    ],
    ['the file', { ...routes, none: {} }, /^The file with the federated token cannot be read/],
  ])('says which step fails: %s', async (step, routesNow, reason) => {
    await using files = await mkdtempDisposable(join(tmpdir(), 'google-'))
    const file = join(files.path, 'federated.json')
    await using scene = await startScene({ googleAuth: { file } })
    scene.routes.now = routesNow
    const token = step === 'the file' ? '/nonexistent/token' : scene.write('token', 'assertion')
    writeFileSync(file, JSON.stringify(federated(scene.issuer.url, { file: token })))
    expect(await scene.ask()).toBe(502)
    const line = await scene.failure()
    expect(line).toMatchObject({ kind: 'refused', fix: expect.stringMatching(/\w/) as unknown })
    expect(line?.['reason']).toMatch(reason)
  })
})
