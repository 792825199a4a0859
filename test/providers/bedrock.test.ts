import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  CountTokensCommand,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'

const aws = { accessKeyId: 'AKIASANDBOXA', secretAccessKey: 'sandbox-key-a' }
const region = 'eu-central-1'

async function ask(
  gateway: { url: string; key: string },
  name: DialectName,
  model: string,
  stream = false,
) {
  const { path, credential, request } = dialects[name]
  const isGenerate = name === 'generate'
  const own = isGenerate && stream ? ':streamGenerateContent?alt=sse' : ':generateContent'
  const target = path.replace('/m:', `/${model}:`).replace(':generateContent', own)
  return await fetch(gateway.url + target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(gateway.key) },
    body: JSON.stringify(isGenerate ? request : { ...request, model, ...(stream && { stream }) }),
  })
}

/** A gateway with an account at a sandbox. */
async function gatewayAt({ url }: Sandbox, account: Partial<AccountConfig> = { aws }) {
  return await createTestGateway({
    accounts: [
      { id: 'a', provider: 'bedrock', region, baseUrl: url, models: ['*'], ...account },
    ] as AccountConfig[],
  })
}

const arn = 'arn:aws:bedrock:eu-central-1:1:application-inference-profile/echo'

test.each(dialectNames)('clients of %s reach Converse with signed requests', async (name) => {
  await using sandbox = await startSandbox()
  await using gateway = await gatewayAt(sandbox, { aws, models: { m: arn, s: 'sandbox/echo' } })
  for (const [model, stream] of [
    ['m', false],
    ['m', true],
    ['s', true],
  ] as const) {
    const reply = await ask(gateway, name, model, stream)
    const text = await reply.text()
    expect([reply.status, reply.status === 200 ? '' : text]).toEqual([200, ''])
    expect(text).toContain('said')
  }
  expect(sandbox.requests[0]?.url).toBe(`/model/${arn.replace('/', '%2F')}/converse`)
})

test('each attempt is signed anew, and a wrong key is the account’s fault', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await gatewayAt(sandbox, {
    aws: { ...aws, secretAccessKey: 'wrong-secret-access-key' },
    models: ['m'],
  })
  const reply = await ask(gateway, 'chat', 'm')
  const text = await reply.text()
  expect([reply.status, text]).toEqual([502, expect.stringContaining('upstream_account_refused')])
  expect(text).not.toContain('wrong-secret')
  expect(text).not.toContain('signature')
  // What AWS says, and what to do, is in the log.
  expect(gateway.attemptWarnings).toMatchObject([
    { reason: expect.stringContaining('Check your AWS Secret Access Key') as string },
  ])
  expect((await ask(gateway, 'chat', 'm')).status).toBe(502)
  await expect
    .poll(() => gateway.log)
    .toMatchObject([
      {
        msg: expect.stringContaining('account excluded') as string,
        fix: expect.stringMatching(/^check its credential/) as string,
      },
    ])
  expect(JSON.stringify([gateway.log, gateway.attemptWarnings])).not.toContain('wrong-secret')
})

test.each<[string, Partial<AccountConfig>]>([
  ['a key of Bedrock', { apiKey: 'sandbox-key-a' }],
  ['temporary keys', { aws: { ...aws, sessionToken: 'token-of-the-session' } }],
])('%s is a credential', async (_, account) => {
  await using sandbox = await startSandbox()
  await using gateway = await gatewayAt(sandbox, account)
  expect((await ask(gateway, 'messages', 'amazon.nova-pro-v1:0')).status).toBe(200)
})

test('without a credential the keys of the machine sign, or its key of Bedrock is the bearer', async () => {
  await using sandbox = await startSandbox()
  try {
    vi.stubEnv('AWS_ACCESS_KEY_ID', aws.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', aws.secretAccessKey)
    await using signing = await gatewayAt(sandbox, {})
    expect((await ask(signing, 'chat', 'm')).status).toBe(200)
    expect(sandbox.requests.at(-1)?.headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 /)
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'sandbox-key-b')
    await using bearing = await gatewayAt(sandbox, {})
    expect((await ask(bearing, 'chat', 'm')).status).toBe(200)
    expect(sandbox.requests.at(-1)?.headers['authorization']).toBe('Bearer sandbox-key-b')
  } finally {
    vi.unstubAllEnvs()
  }
})

test('keys of a container are fetched once for all calls, renewed before they end, and may be away for a while', async () => {
  await using sandbox = await startSandbox()
  let [fetched, status] = [0, 200]
  await using container = await startFakeAccount((response, request) => {
    fetched++
    const keys = {
      AccessKeyId: aws.accessKeyId,
      SecretAccessKey: aws.secretAccessKey,
      Token: `token-of-the-container-${fetched}`,
      Expiration: new Date(Date.now() + 2_000).toISOString(),
    }
    return answerJson(keys, { status })(response, request)
  })
  try {
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent')
    vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${container.url}/keys`)
    await using gateway = await gatewayAt(sandbox, {})
    const many = await Promise.all(Array.from({ length: 10 }, () => ask(gateway, 'chat', 'm')))
    expect(many.map((reply) => reply.status)).toEqual(many.map(() => 200))
    expect(fetched).toBe(1)
    await until(async () => {
      expect((await ask(gateway, 'chat', 'm')).status).toBe(200)
      return fetched > 2
    })
    expect(JSON.stringify([gateway.log, gateway.accessLog])).not.toContain('token-of-the-container')
    status = 500
    await expect
      .poll(async () => (await ask(gateway, 'chat', 'm')).status, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(500)
  } finally {
    vi.unstubAllEnvs()
  }
}, 30_000)

test('a machine without keys fails as the account’s, and says what to do', async () => {
  await using sandbox = await startSandbox()
  try {
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent')
    await using gateway = await gatewayAt(sandbox, {})
    const reply = await ask(gateway, 'chat', 'm')
    expect(reply.status).toBeGreaterThanOrEqual(500)
    expect(sandbox.requests).toEqual([])
    expect(JSON.stringify(gateway.log)).toContain('No credentials of AWS are found')
  } finally {
    vi.unstubAllEnvs()
  }
})

describe('an identity of the machine', () => {
  const machine = (variables: Readonly<Record<string, string>>) => {
    vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent')
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
  }
  const failureOf = (gateway: { readonly log: readonly object[] }) =>
    gateway.log.find((line) => JSON.stringify(line).includes('cannot be renewed'))

  test('is the one of its metadata, and away with it once it was there', async () => {
    await using sandbox = await startSandbox()
    let isAway = false
    await using metadata = await startFakeAccount((response, request) => {
      if (isAway) return answerJson({}, { status: 503 })(response, request)
      const keys = {
        Code: 'Success',
        AccessKeyId: aws.accessKeyId,
        SecretAccessKey: aws.secretAccessKey,
        Token: 'token-of-the-machine',
        Expiration: new Date(Date.now() + 1_000).toISOString(),
      }
      const isRole = request.url.endsWith('/role-of-the-machine')
      const text = request.method === 'PUT' ? 'token-of-the-metadata' : 'role-of-the-machine'
      return answerJson(isRole ? keys : text)(response, request)
    })
    machine({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url })
    await using gateway = await gatewayAt(sandbox, {})
    expect((await ask(gateway, 'chat', 'm')).status).toBe(200)
    expect(sandbox.requests.at(-1)?.headers['x-amz-security-token']).toBe('token-of-the-machine')
    expect(metadata.requests[0]?.method).toBe('PUT')
    isAway = true
    await until(async () => (await ask(gateway, 'chat', 'm')).status >= 500, 30_000)
    expect(failureOf(gateway)).toMatchObject({ kind: 'away' })
  }, 60_000)

  test('is a role that its web identity assumes, or is refused with the status', async () => {
    await using sandbox = await startSandbox()
    await using files = await mkdtempDisposable(join(tmpdir(), 'aws-'))
    const file = join(files.path, 'token')
    await writeFile(file, 'assertion-of-kubernetes')
    let status = 200
    const credentials = `<Credentials><AccessKeyId>${aws.accessKeyId}</AccessKeyId><SecretAccessKey>${aws.secretAccessKey}</SecretAccessKey><SessionToken>token-of-the-role</SessionToken><Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration></Credentials>`
    const user =
      '<AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>'
    const granted = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>${credentials}${user}</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`
    const refused =
      '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not authorized</Message></Error></ErrorResponse>'
    await using sts = await startFakeAccount(
      (response) =>
        void response
          .writeHead(status, { 'content-type': 'text/xml' })
          .end(status === 200 ? granted : refused),
    )
    machine({
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/r',
      AWS_ENDPOINT_URL_STS: sts.url,
      AWS_EC2_METADATA_DISABLED: 'true',
    })
    await using gateway = await gatewayAt(sandbox, {})
    expect((await ask(gateway, 'chat', 'm')).status).toBe(200)
    expect(sandbox.requests.at(-1)?.headers['x-amz-security-token']).toBe('token-of-the-role')
    const form = new URLSearchParams(sts.requests[0]?.body.toString())
    expect(form.get('WebIdentityToken')).toBe('assertion-of-kubernetes')
    status = 403
    await using other = await gatewayAt(sandbox, {})
    expect((await ask(other, 'chat', 'm')).status).toBe(502)
    expect(failureOf(other)).toMatchObject({
      kind: 'refused',
      reason: 'AWS refuses credentials with the status 403.',
      fix: 'check the role, its trust policy and the token that it wants',
    })
  }, 60_000)
})

describe('doors that `speaks` names', () => {
  test('OpenAI’s and Anthropic’s own APIs are native, with the service in the signature', async () => {
    await using sandbox = await startSandbox()
    await using gateway = await gatewayAt(sandbox, {
      aws,
      speaks: ['responses', 'chat', 'messages', 'converse'],
    })
    const asked: [DialectName, string, string][] = [
      ['chat', 'openai.gpt-oss-120b-1:0', '/openai/v1/chat/completions'],
      ['responses', 'openai.gpt-oss-120b-1:0', '/openai/v1/responses'],
      ['messages', 'anthropic.claude-opus-4-5', '/anthropic/v1/messages'],
      ['chat', 'amazon.nova-pro-v1:0', '/model/amazon.nova-pro-v1:0/converse'],
      ['messages', 'us.anthropic.claude-opus-4-5', '/model/us.anthropic.claude-opus-4-5/invoke'],
    ]
    for (const [name, model, url] of asked) {
      const reply = await ask(gateway, name, model)
      expect([model, reply.status, sandbox.requests.at(-1)?.url]).toEqual([model, 200, url])
    }
  })
})

test('a guardrail is in each request, and no other door lets one pass by', async () => {
  const reply = {
    output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
    stopReason: 'end_turn',
    usage: { inputTokens: 1, outputTokens: 1 },
  }
  await using upstream = await startFakeAccount(answerJson(reply))
  const account = { guardrail: { id: 'gr-1', version: '2' }, apiKey: 'key-of-bedrock' }
  await using gateway = await gatewayAt(upstream as unknown as Sandbox, account)
  expect((await ask(gateway, 'chat', 'm')).status).toBe(200)
  expect((JSON.parse(upstream.requests[0]!.body.toString()) as JsonObject).guardrailConfig).toEqual(
    { guardrailIdentifier: 'gr-1', guardrailVersion: '2' },
  )
  await using other = await gatewayAt(upstream as unknown as Sandbox, {
    ...account,
    speaks: ['chat'],
  })
  expect((await ask(other, 'chat', 'openai.gpt-oss-20b-1:0')).status).toBeGreaterThanOrEqual(400)
  expect(upstream.requests).toHaveLength(1)
})

describe('the client of AWS', () => {
  const clientAt = ({ url }: Sandbox, keys = aws) =>
    new BedrockRuntimeClient({
      region,
      endpoint: url,
      credentials: keys,
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    })
  const messages = [{ role: 'user' as const, content: [{ text: 'one two' }] }]

  test.each(['sandbox/echo', 'amazon.nova-pro-v1:0', arn])('talks to %s', async (modelId) => {
    await using sandbox = await startSandbox()
    const client = clientAt(sandbox)
    const reply = await client.send(new ConverseCommand({ modelId, messages }))
    expect(reply.output?.message?.content).toEqual([{ text: 'You said: one two' }])
    const { stream } = await client.send(new ConverseStreamCommand({ modelId, messages }))
    let text = ''
    let tokens: number | undefined
    for await (const { contentBlockDelta, metadata } of stream ?? []) {
      text += contentBlockDelta?.delta?.text ?? ''
      tokens ??= metadata?.usage?.outputTokens
    }
    expect([text, tokens]).toEqual(['You said: one two', 4])
    const input = { converse: { messages } }
    const counted = client.send(new CountTokensCommand({ modelId, input }))
    // Profiles count nothing.
    if (modelId === arn) await expect(counted).rejects.toThrow(/doesn't support counting tokens/)
    else expect((await counted).inputTokens).toBe(2)
  })

  test('reads the exceptions of replies and of streams', async () => {
    await using sandbox = await startSandbox()
    const refused = clientAt(sandbox).send(
      new ConverseCommand({ modelId: 'm', messages: [{ role: 'user', content: [{ text: '' }] }] }),
    )
    await expect(refused).rejects.toMatchObject({ name: 'ValidationException' })
    const modelId = 'sandbox/error=2+code=ThrottlingException'
    const { stream } = await clientAt(sandbox).send(
      new ConverseStreamCommand({ modelId, messages }),
    )
    const read = async () => {
      for await (const _ of stream ?? []);
    }
    await expect(read()).rejects.toMatchObject({ name: 'ThrottlingException' })
    const wrong = clientAt(sandbox, { ...aws, secretAccessKey: 'wrong' })
    const unsigned = wrong.send(new ConverseCommand({ modelId: 'm', messages }))
    await expect(unsigned).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  })
})
