import { generateKeyPairSync } from 'node:crypto'
import { mkdtempDisposable, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { dialects } from '../requests/dialects.ts'

const env = {
  ...process.env,
  DRAGOMAN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}

/** A gateway without accounts in its file, an account at a cloud, and a server of tokens. */
async function startScene() {
  await using starting = new AsyncDisposableStack()
  const upstream = starting.use(await startFakeAccount(answerJson(dialects.chat.reply)))
  const tokens = starting.use(
    await startFakeAccount(answerJson({ access_token: 'token-of-the-store', expires_in: 3_600 })),
  )
  const gateway = starting.use(await createTestGateway({ admin: true, env, accounts: [] }))
  const started = starting.move()
  const act = async (name: string, input: object) => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`
    const text = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename ... on Invalid { problems { path message } } } }`
    const { data, errors } = await gateway.admin!.ask(text, { variables: { input } })
    expect(errors).toBeUndefined()
    return (data as Record<string, unknown>)[name]
  }
  const ask = async (model: string) => {
    const { path, credential, request } = dialects.chat
    return await fetch(gateway.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential(gateway.key) },
      body: JSON.stringify({ ...request, model }),
    })
  }
  return {
    gateway,
    upstream,
    tokens,
    act,
    ask,
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

test('an account of the store has an application of Entra, whose secret is its credential', async () => {
  await using scene = await startScene()
  const { upstream, tokens } = scene
  const created = await scene.act('createAccount', {
    id: 'azure',
    provider: 'azure',
    baseUrl: upstream.url,
    entra: { tenantId: 't', clientId: 'c', authority: tokens.url },
    credential: 'client-secret-of-the-store',
    models: ['m'],
    speaks: ['chat'],
  })
  expect(created).toEqual({ __typename: 'CreateAccountSuccess' })
  expect((await scene.ask('m')).status).toBe(200)
  expect(upstream.requests[0]?.headers['authorization']).toBe('Bearer token-of-the-store')
  expect(tokens.requests[0]?.body.toString()).toContain('client-secret-of-the-store')
  const moved = await scene.act('updateAccount', {
    id: 'azure',
    entra: { tenantId: 't', clientId: 'c', authority: 'http://127.0.0.1:9' },
  })
  expect(moved).toMatchObject({ problems: [{ path: 'input.credential' }] })
})

test('an account of the store is one of a server by its name', async () => {
  await using scene = await startScene()
  const created = await scene.act('createAccount', {
    id: 'or',
    provider: 'openrouter',
    baseUrl: `${scene.upstream.url}/api/v1`,
    credential: 'key-of-the-store',
    models: ['m'],
  })
  expect(created).toEqual({ __typename: 'CreateAccountSuccess' })
  expect((await scene.ask('m')).status).toBe(200)
  const [sent] = scene.upstream.requests
  expect(sent?.headers['authorization']).toBe('Bearer key-of-the-store')
  expect(sent?.url).toBe('/api/v1/chat/completions')
  // Everybody may list the models of OpenRouter, so that a list proves no key.
  await scene.act('testAccount', { id: 'or' })
  expect(scene.upstream.requests.at(-1)?.url).toBe('/api/v1/key')
  const local = { id: 'own', provider: 'ollama', baseUrl: scene.upstream.url, models: ['own'] }
  expect(await scene.act('createAccount', local)).toEqual({ __typename: 'CreateAccountSuccess' })
  const unknown = { ...local, id: 'x', provider: 'open-router' }
  expect(await scene.act('createAccount', unknown)).toMatchObject({
    problems: [{ path: 'input.provider', message: expect.stringContaining('open-router') }],
  })
})

test('an account of the store has no identity of the machine', async () => {
  await using scene = await startScene()
  for (const entra of [{ managedIdentity: true }, { federatedTokenFile: '/etc/passwd' }]) {
    const input = { id: 'x', provider: 'azure', baseUrl: scene.upstream.url, models: ['m'], entra }
    expect(await scene.act('createAccount', input)).toMatchObject({ __typename: 'Invalid' })
  }
  const vertex = { id: 'v', provider: 'vertex', project: 'p', models: ['gemini-x'] }
  const baseUrl = scene.upstream.url
  expect(
    await scene.act('createAccount', {
      ...vertex,
      baseUrl,
      googleAuth: { file: '/etc/passwd' },
    }),
  ).toMatchObject({ __typename: 'Invalid' })
  const external = JSON.stringify({ type: 'external_account', credential_source: {} })
  expect(
    await scene.act('createAccount', { ...vertex, baseUrl, googleAuth: {}, credential: external }),
  ).toMatchObject({ problems: [{ path: 'input.credential', message: 'is no service account' }] })
  await scene.act('createAccount', { ...vertex, baseUrl })
  // What the library would find on this machine.
  await using machine = await mkdtempDisposable(join(tmpdir(), 'dragoman-google-'))
  const file = join(machine.path, 'credentials.json')
  const federated = {
    type: 'external_account',
    audience: 'a',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: `${scene.tokens.url}/token`,
    credential_source: { file },
  }
  await writeFile(file, JSON.stringify(federated))
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file)
  onTestFinished(() => void vi.unstubAllEnvs())
  const later = { ...vertex, id: 'later', models: ['gemini-y'], baseUrl, googleAuth: {} }
  await scene.act('createAccount', later)
  for (const model of ['gemini-x', 'gemini-y']) expect((await scene.ask(model)).status).toBe(502)
  expect(scene.upstream.requests).toEqual([])
  expect(scene.tokens.requests).toEqual([])
})

/** The JSON of a service account whose tokens a server issues. */
function serviceAccount(tokensUrl: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return JSON.stringify({
    type: 'service_account',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'a@b.c',
    token_uri: `${tokensUrl}/token`,
  })
}

test('an account of the store has a service account of Google Cloud as its credential', async () => {
  await using scene = await startScene()
  const credential = serviceAccount(scene.tokens.url)
  const input = {
    id: 'vertex',
    provider: 'vertex',
    project: 'p',
    baseUrl: scene.upstream.url,
    googleAuth: {},
    credential,
    models: ['google/gemini-x'],
  }
  expect(await scene.act('createAccount', input)).toEqual({ __typename: 'CreateAccountSuccess' })
  expect((await scene.ask('google/gemini-x')).status).toBe(200)
  expect(scene.upstream.requests[0]?.headers['authorization']).toBe('Bearer token-of-the-store')
})

test('an account of the store has a secret access key of AWS, and no identity of the machine', async () => {
  await using scene = await startScene()
  const bedrock = { provider: 'bedrock', region: 'eu-central-1', baseUrl: scene.upstream.url }
  const own = { ...bedrock, id: 'own', models: ['m'], aws: { accessKeyId: 'AKIA1' } }
  const credential = 'secret-access-key-of-the-store'
  expect(await scene.act('createAccount', { ...own, credential })).toEqual({
    __typename: 'CreateAccountSuccess',
  })
  await scene.ask('m')
  const { authorization = '' } = scene.upstream.requests[0]?.headers ?? {}
  expect(authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIA1\/\d{8}\/eu-central-1\/bedrock\//,
  )
  const profile = { ...bedrock, id: 'x', models: ['n'], aws: { profile: 'production' } }
  expect(await scene.act('createAccount', profile)).toMatchObject({ __typename: 'Invalid' })
  await scene.act('createAccount', { ...bedrock, id: 'none', models: ['n'] })
  expect((await scene.ask('n')).status).toBe(502)
  expect(scene.upstream.requests).toHaveLength(1)
})

test('the secret of each kind of credential is sealed in the store, and nothing returns it', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'dragoman-store-'))
  const store = `file:${join(directory.path, 'store')}`
  await using gateway = await createTestGateway({ admin: true, env, accounts: [], store })
  const privateKey = JSON.parse(serviceAccount('http://127.0.0.1:9')) as { private_key: string }
  const secrets = {
    'an Entra application': 'client-secret-of-the-store',
    'a service account': privateKey.private_key.split('\n')[1]!,
    'an access key': 'secret-access-key-of-the-store',
    'a key of Azure': 'key-of-azure-in-the-store',
    'a key of the express mode': 'key-of-vertex-in-the-store',
    'a key of Bedrock': 'key-of-bedrock-in-the-store',
  }
  const azure = { provider: 'azure', baseUrl: 'http://127.0.0.1:9', models: ['m'] }
  const vertex = { provider: 'vertex', models: ['gemini-x'] }
  const bedrock = { provider: 'bedrock', region: 'eu-central-1', models: ['n'] }
  const inputs = [
    {
      ...azure,
      id: 'entra',
      entra: { tenantId: 't', clientId: 'c' },
      credential: secrets['an Entra application'],
    },
    { ...azure, id: 'key', apiVersion: '2024-10-21', credential: secrets['a key of Azure'] },
    {
      ...vertex,
      id: 'google',
      project: 'p',
      location: 'eu',
      anthropicVersion: 'vertex-2023-10-16',
      googleAuth: {},
      credential: JSON.stringify(privateKey),
    },
    { ...vertex, id: 'express', credential: secrets['a key of the express mode'] },
    {
      ...bedrock,
      id: 'signed',
      aws: { accessKeyId: 'AKIA1' },
      guardrail: { id: 'gr-1', version: '1' },
      credential: secrets['an access key'],
    },
    { ...bedrock, id: 'bearer', credential: secrets['a key of Bedrock'] },
  ]
  for (const input of inputs) {
    const text =
      'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename ... on Invalid { problems { path message } } } }'
    const { data } = await gateway.admin!.ask(text, { variables: { input } })
    expect([input.id, data]).toEqual([
      input.id,
      { createAccount: { __typename: 'CreateAccountSuccess' } },
    ])
  }
  const question = `{
    accounts { edges { node {
      id state provider baseUrl baseUrls entra googleAuth aws apiVersion project location region anthropicVersion guardrail options
      credential { isSet source hint } problems { message }
    } } }
    configuration { settings { path value } }
    audit { edges { node { action before after } } }
  }`
  const answer = await gateway.admin!.ask(question)
  expect(answer.errors).toBeUndefined()
  const nodes = (answer.data as { accounts: { edges: { node: { id: string } }[] } }).accounts.edges
  expect(nodes.map(({ node }) => node.id).toSorted()).toEqual(inputs.map(({ id }) => id).toSorted())
  expect(nodes.find(({ node }) => node.id === 'signed')?.node).toMatchObject({
    aws: { accessKeyId: 'AKIA1' },
    guardrail: { id: 'gr-1', version: '1' },
    credential: { isSet: true, source: 'STORE', hint: 'tore' },
  })
  const entries = await readdir(directory.path, { recursive: true, withFileTypes: true })
  const files = entries.filter((one) => one.isFile())
  const stored = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name))),
  )
  // What is no secret is there to be read.
  expect(stored.some((bytes) => bytes.includes('AKIA1'))).toBe(true)
  for (const [kind, secret] of Object.entries(secrets)) {
    expect(JSON.stringify(answer), kind).not.toContain(secret)
    expect(JSON.stringify(gateway.log), kind).not.toContain(secret)
    expect(
      stored.some((bytes) => bytes.includes(secret)),
      kind,
    ).toBe(false)
  }
})

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://0xA9FEA9FE/latest/meta-data',
  'http://[::ffff:169.254.169.254]/latest/meta-data',
  'http://metadata.google.internal/computeMetadata/v1',
])('no token of an account of the store is asked for at %s', async (place) => {
  await using scene = await startScene()
  const baseUrl = scene.upstream.url
  const json = JSON.parse(serviceAccount('http://x')) as object
  const vertex = { baseUrl, id: 'v', provider: 'vertex', project: 'p', googleAuth: {} }
  const credential = JSON.stringify({ ...json, token_uri: place })
  const azure = { baseUrl, id: 'z', provider: 'azure', credential: 'secret-of-azure' }
  const entra = { tenantId: 't', clientId: 'c', authority: place }
  await scene.act('createAccount', { ...vertex, credential, models: ['google/gemini-x'] })
  await scene.act('createAccount', { ...azure, entra, models: ['m'] })
  for (const model of ['google/gemini-x', 'm']) {
    const reply = await scene.ask(model)
    const text = await reply.text()
    expect([model, reply.status]).toEqual([model, 502])
    expect(text).not.toContain('latest')
  }
  expect(scene.upstream.requests).toEqual([])
  const reasons = scene.gateway.log.flatMap((line) => (line['reason'] as string) ?? [])
  expect(reasons).toEqual([expect.stringContaining('forbids'), expect.stringContaining('forbids')])
})
