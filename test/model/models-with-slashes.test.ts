import { describe, expect, test } from 'vitest'

import {
  bearer,
  defineDialect,
  defineOperation,
  definePlugin,
  errorEnvelope,
  fillPath,
  firstCredential,
} from '../../src/dialect-kit/index.ts'
import { answerJson, createTestGateway, startFakeAccount } from '../../src/testing/index.ts'
import { modelPathProblems } from '../../src/cli/checks/model-paths.ts'
import { idleServices, planGateway } from '../../src/cli/plan.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'

const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.model-v1:0'
const onTheWire =
  '/model/arn:aws:bedrock:us-east-1:123456789012:inference-profile%2Fus.model-v1:0/ask'

type PathOf = (model: string) => string

/** A dialect whose paths name the model in one segment. */
function dialectOf(pathOf: PathOf, encodesSlashes = true) {
  const dialect = defineDialect({
    id: 'sliced',
    credential: (request) => firstCredential(request, [bearer]),
    error: errorEnvelope,
    upstream: { base: 'bare', providers: { sliced: {} }, headers: () => ({}), encodesSlashes },
    operations: [
      defineOperation({
        id: 'sliced.ask',
        method: 'POST',
        paths: ['/model/{model+}/ask'],
        auth: 'key',
        capability: 'ask',
        summary: 'Ask',
        understand: ({ params }) => ({
          model: params['model'] ?? '',
          stream: false,
          refersTo: [],
          edits: [],
          losses: [],
        }),
        forward: {
          target: ({ candidate }) => ({ path: pathOf(candidate.upstreamModel) }),
          observer: () => {
            throw new Error('There is no stream.')
          },
          outcome: () => ({ status: 'completed', fault: 'none' }),
        },
      }),
    ],
  })
  return definePlugin({ name: 'sliced', dialects: [dialect] })
}

const filled: PathOf = (model) => fillPath('/model/{model/}/ask', { model })
const careless: PathOf = (model) => `/model/${encodeURIComponent(model)}/ask`

type Models = readonly string[] | Record<string, string>

async function stageOf(pathOf: PathOf, models: Models, encodesSlashes?: boolean) {
  const upstream = await startFakeAccount(answerJson({}))
  const gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'sliced', baseUrl: upstream.url, models }],
    plugins: [dialectOf(pathOf, encodesSlashes)],
  })
  return {
    upstream,
    async ask(segment: string) {
      const response = await fetch(`${gateway.url}/model/${segment}/ask`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: '{}',
      })
      return { status: response.status, text: await response.text() }
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

describe('a dialect whose accounts take an encoded slash', () => {
  test('asks for a model with a slash in one segment', async () => {
    await using stage = await stageOf(filled, [arn])
    expect(await stage.ask(encodeURIComponent(arn))).toMatchObject({ status: 200 })
    expect(stage.upstream.requests[0]!.url).toBe(onTheWire)
  })

  test.each([
    '..',
    'a/..',
    '../a',
    'a/../../b',
    'a//b',
    '/a',
    'a/',
    './a',
    'a/%2e%2e/b',
    'a%2F..',
    'a%252f..%252fb',
    'a%2Fb',
    'a\\..\\b',
    'a/\uFF0E\uFF0E',
    'a\uFF0F..\uFF0Fb',
    'a/.. /b',
    'a?b',
    'a/b;c',
    'a\u0000/b',
  ])('reaches no account with the name %j, however its path is written', async (name) => {
    for (const pathOf of [filled, careless]) {
      await using stage = await stageOf(pathOf, ['*'])
      expect((await stage.ask(encodeURIComponent(name))).status).toBe(404)
      await using mapped = await stageOf(pathOf, { m: name })
      expect((await mapped.ask('m')).status).toBe(500)
      expect([...stage.upstream.requests, ...mapped.upstream.requests]).toEqual([])
    }
  })
})

describe('a dialect that does not say so', () => {
  test('has no path with an encoded slash; the request is not to blame for a configured name', async () => {
    for (const pathOf of [filled, careless]) {
      await using stage = await stageOf(pathOf, { sonnet: arn }, false)
      const { status, text } = await stage.ask('sonnet')
      expect(status).toBe(500)
      expect(text).toContain("The gateway's configuration has a name for the model `sonnet`")
      expect(text).not.toContain('arn:')
      expect(stage.upstream.requests).toEqual([])
    }
  })

  test.each([
    { pathOf: filled, encodes: false, found: ['accounts[0].models.sonnet'] },
    { pathOf: careless, encodes: false, found: ['accounts[0].models.sonnet'] },
    { pathOf: filled, encodes: true, found: [] },
  ])('is found by a check of the configuration: $found', async ({ pathOf, encodes, found }) => {
    const models = { sonnet: arn, small: 'small', 'all/*': '*' }
    const baseUrl = 'http://127.0.0.1:1'
    const checked = checkConfiguration(
      {
        accounts: [{ id: 'bedrock-1', provider: 'sliced', baseUrl, models }],
        plugins: [dialectOf(pathOf, encodes)],
      },
      { env: {} },
    )
    const plan = await planGateway(checked, idleServices())
    const problems = modelPathProblems(checked, plan)
    expect(problems.map(({ path }) => path)).toEqual(found)
    for (const { message } of problems) expect(message).toContain('account "bedrock-1"')
  })
})
