import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'
import { cloudClients } from './cloud-clients.ts'

/** Settings of an account at a sandbox, and the name that it has for a model. */
type Kind = readonly [account: Partial<AccountConfig>, model: string]

/** Each kind of account and door, by the path of its requests. */
async function kindsAt({ url: baseUrl }: Sandbox): Promise<Readonly<Record<string, Kind>>> {
  const file = join(await mkdtemp(join(tmpdir(), 'clients-')), 'service-account.json')
  await writeFile(file, await (await fetch(`${baseUrl}/google/service-account/a.json`)).text())
  const apiKey = 'sandbox-key-a'
  const entra = { tenantId: 't', clientId: 'c', clientSecret: apiKey, authority: baseUrl }
  const resource = { provider: 'azure', baseUrl }
  const azure = { ...resource, apiKey }
  const vertex = {
    provider: 'vertex',
    baseUrl,
    project: 'p',
    location: 'us-central1',
    googleAuth: { file },
  }
  const aws = { accessKeyId: 'AKIASANDBOXA', secretAccessKey: apiKey }
  const bedrock = { provider: 'bedrock', baseUrl, region: 'eu-central-1', aws }
  return {
    'Azure OpenAI': [azure, 'my-deployment'],
    'Azure OpenAI by Entra': [{ ...resource, entra }, 'my-deployment'],
    'Azure OpenAI by deployments': [
      { ...azure, apiVersion: '2024-10-21', speaks: ['chat'] },
      'my-deployment',
    ],
    'Claude at Foundry': [{ ...azure, speaks: ['messages'] }, 'claude-at-foundry'],
    'Gemini at Vertex': [vertex, 'gemini-2.5-pro'],
    'Claude at Vertex': [vertex, 'claude-sonnet-4-5@20250929'],
    'the compatible endpoint of Vertex': [vertex, 'google/gemini-2.5-pro'],
    'Nova at Bedrock': [bedrock, 'eu.amazon.nova-pro-v1:0'],
    'Claude at Bedrock': [bedrock, 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    'OpenAI at Bedrock': [
      { ...bedrock, speaks: ['responses', 'chat', 'converse'] },
      'openai.gpt-oss-120b-1:0',
    ],
    'Anthropic at Bedrock': [
      { ...bedrock, speaks: ['messages', 'converse'] },
      'anthropic.claude-opus-4-5',
    ],
  }
}

/** The accounts of a kind: each with what its provider does, as clients name it behind the kind. */
const deeds = { '': undefined, ' tool': 'tool', ' limited': 'status=429', ' broken': 'error=2' }

const kindNames = [
  'Azure OpenAI',
  'Azure OpenAI by Entra',
  'Azure OpenAI by deployments',
  'Claude at Foundry',
  'Gemini at Vertex',
  'Claude at Vertex',
  'the compatible endpoint of Vertex',
  'Nova at Bedrock',
  'Claude at Bedrock',
  'OpenAI at Bedrock',
  'Anthropic at Bedrock',
]

const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let sandbox: Sandbox
let gateway: TestGateway

beforeAll(async () => {
  sandbox = await startSandbox()
  const kinds = await kindsAt(sandbox)
  expect(Object.keys(kinds)).toEqual(kindNames)
  const accounts = Object.entries(kinds).flatMap(([kind, [account, model]]) =>
    Object.entries(deeds).map(([deed, directive]) => ({
      ...account,
      id: `${kind}${deed}`.replaceAll(' ', '-'),
      models: { [`${kind}${deed}`.replaceAll(' ', '-')]: model },
      ...(directive !== undefined && { headers: { 'x-sandbox': directive } }),
    })),
  )
  gateway = await createTestGateway({ accounts: accounts as AccountConfig[] })
})

afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await sandbox[Symbol.asyncDispose]()
})

const dialectNames = ['chat', 'responses', 'messages', 'generate']
const rows = kindNames.flatMap((kind) => dialectNames.map((dialect) => ({ kind, dialect })))

describe.each(rows)('a client of $dialect reads $kind', ({ kind, dialect }) => {
  const model = kind.replaceAll(' ', '-')
  const client = () => cloudClients(gateway).find((one) => one.dialect === dialect)!

  test.each([false, true])('with texts and images; as a stream: %s', async (stream) => {
    const said = await client().say(model, 'hello', { stream, image })
    expect(said).toEqual({ called: [], text: 'You said: hello' })
    expect(sandbox.requests.at(-1)?.body.toString()).toContain(image)
  })

  test.each([false, true])('with tools and their results; as a stream: %s', async (stream) => {
    const said = await client().say(`${model}-tool`, 'hello', { stream, hasTool: true })
    expect(said.called).toEqual(['weather'])
    expect(said.text).toMatch(/^The tool answered: .*sunny/)
  })

  test('with its errors in its own form: limits, and streams that break', async () => {
    const limited = client().say(`${model}-limited`, 'hello', { stream: false })
    await expect(limited).rejects.toMatchObject({ status: 429 })
    const broken = client().say(`${model}-broken`, 'one two three four', { stream: true })
    await expect(broken).rejects.toThrow(/./)
  })
})

test('a client of each dialect reads that a prompt is blocked, and the account stays', async () => {
  const blocked = 'sandbox: blocked prompt'
  for (const client of [...cloudClients(gateway), ...cloudClients(gateway)]) {
    const asked = client.say('Azure-OpenAI', blocked, { stream: false })
    await expect(asked, client.dialect).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('filtered') as unknown,
    })
  }
  const [client] = cloudClients(gateway)
  const fine = await client!.say('Azure-OpenAI', 'hello', { stream: false })
  expect(fine.text).toBe('You said: hello')
})
