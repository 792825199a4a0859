import { describe, expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { until } from '../../../src/testing/until.ts'
import { pngFile } from '../../sandbox/pictures.ts'
import { audioFile } from '../audio/stage.ts'
import { line, orderBatch } from '../files/stage.ts'
import { anthropicVersions } from './anthropic.ts'
import { genaiVersions } from './genai.ts'
import { openaiVersions } from './openai.ts'
import { type Walk, caught, collect, startWalk } from './walk.ts'

const rates = { input: '1', output: '1' }

/** A model whose videos are made at once. */
const film = 'sandbox/polls=0'

/** A gateway whose key has a budget for one call, and a rate of ten. */
async function startBudget() {
  const quotas = [
    { kind: 'cost' as const, amount: '0.000001' },
    { kind: 'requests' as const, amount: 10 },
  ]
  return await startWalk({
    keys: [{ id: 'test', secret: 'test-secret', quotas }],
    prices: { 'sandbox/echo': { rates }, [film]: { units: { second: '0.1' } } },
  })
}

/** Resolves when nothing is held. */
async function settled({ gateway }: Walk): Promise<void> {
  await until(async () => {
    const response = await fetch(`${gateway.url}/dragoman/key`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    })
    const { limits } = (await response.json()) as { limits: readonly { held: string }[] }
    return limits.every(({ held }) => Number(held) === 0)
  })
}

const model = 'sandbox/echo'
const messages = [{ role: 'user' as const, content: 'hi' }]

/** The ways of one SDK to ask for an answer. */
type Ways = Readonly<Record<string, () => Promise<unknown>>>

/** Spends the budget by each way, and finds that every way is refused then. */
async function spendBy(
  waysOf: (walk: Walk) => Ways,
  refused: (asked: Promise<unknown>) => Promise<void>,
): Promise<void> {
  for (const spending of Object.keys(waysOf({ gateway: { url: 'http://x', key: 'k' } } as Walk))) {
    // A budget has to cover the whole of a batch.
    if (spending === 'batches') continue
    await using walk = await startBudget()
    const ways = waysOf(walk)
    await ways[spending]!()
    await settled(walk)
    // To store the file of a batch is free.
    const paid = () => walk.sandbox.requests.filter(({ url }) => url !== '/v1/files').length
    const before = paid()
    for (const ask of Object.values(ways)) await refused(ask())
    expect([spending, paid()]).toEqual([spending, before])
  }
}

/** The ways that the newer SDKs have besides. */
function mediaWays(client: ReturnType<(typeof openaiVersions)[number]['connect']>): Ways {
  const picture = { model, prompt: 'a house' }
  return {
    compaction: () => client.responses.compact({ model, input: 'hi' }),
    images: () => client.images.generate(picture),
    'streamed images': async () =>
      collect(await client.images.generate({ ...picture, stream: true })),
    'edited images': () => client.images.edit({ ...picture, image: pngFile() }),
    videos: async () => {
      const { id } = await client.videos.create({ model: film, prompt: 'a film', seconds: '4' })
      await until(async () => (await client.videos.retrieve(id)).status === 'completed')
    },
  }
}

/** The ways of the newest SDK alone, as they are the same in all: endpoints without a conversation. */
function otherWays(client: ReturnType<(typeof openaiVersions)[number]['connect']>): Ways {
  const completion = { model, prompt: 'hi', max_tokens: 20 }
  const file = audioFile()
  return {
    embeddings: () => client.embeddings.create({ model, input: 'hi' }),
    moderations: () => client.moderations.create({ model, input: 'hi' }),
    completions: () => client.completions.create(completion),
    'streamed completions': async () =>
      collect(await client.completions.create({ ...completion, stream: true })),
    speech: async () =>
      (await client.audio.speech.create({ model, input: 'hi', voice: 'alloy' })).arrayBuffer(),
    transcriptions: () => client.audio.transcriptions.create({ model, file }),
    'streamed transcriptions': async () =>
      collect(await client.audio.transcriptions.create({ model, file, stream: true })),
    'streamed edits of images': async () =>
      collect(
        await client.images.edit({ model, prompt: 'a house', image: pngFile(), stream: true }),
      ),
    batches: async () => {
      await orderBatch(client, line('1', model))
    },
  }
}

const newest = openaiVersions.at(-1)!.OpenAI

describe.for(openaiVersions)('$name, a budget that is spent', ({ OpenAI, connect }) => {
  test('pitfall 17: by any call, streamed or not, refuses every other with the error of the SDK, which does not retry', async () => {
    await spendBy(
      (walk) => {
        const client = connect(walk)
        return {
          responses: () => client.responses.create({ model, input: 'hi' }),
          'streamed responses': async () =>
            collect(await client.responses.create({ model, input: 'hi', stream: true })),
          chat: () => client.chat.completions.create({ model, messages }),
          'streamed chat': async () =>
            collect(await client.chat.completions.create({ model, messages, stream: true })),
          ...('videos' in client && mediaWays(client)),
          ...(OpenAI === newest && otherWays(client)),
        }
      },
      async (asked) => {
        const error = await caught(OpenAI.APIError, asked)
        expect(error).toMatchObject({ status: 402, code: 402, type: 'insufficient_quota' })
        expect(error.error).toMatchObject({
          details: [{ code: 'budget_exceeded', kind: 'cost', amount: '0.000001' }],
        })
      },
    )
  })
})

describe('a rate that is reached is the error of each SDK for it', () => {
  const startRate = () =>
    startWalk({
      keys: [
        {
          id: 'test',
          secret: 'test-secret',
          quotas: [{ kind: 'requests', amount: 1, window: '1h' }],
        },
      ],
    })

  test.each(openaiVersions)('$name', async ({ OpenAI, connect }) => {
    await using walk = await startRate()
    const client = connect(walk)
    await client.chat.completions.create({ model, messages })
    const error = await caught(OpenAI.APIError, client.responses.create({ model, input: 'hi' }))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error).toMatchObject({ status: 429, type: 'rate_limit_error' })
  })

  test.each(anthropicVersions)('$name', async ({ Anthropic, connect }) => {
    await using walk = await startRate()
    const ask = () => connect(walk).messages.create({ model, max_tokens: 50, messages })
    await ask()
    const error = await caught(Anthropic.APIError, ask())
    expect(error).toBeInstanceOf(Anthropic.RateLimitError)
  })

  test.each(genaiVersions)('$name', async ({ ApiError, connect }) => {
    await using walk = await startRate()
    const ask = () => connect(walk).models.generateContent({ model, contents: 'hi' })
    await ask()
    const error = await caught(ApiError, ask())
    expect([error.status, error.message]).toEqual([429, expect.stringContaining('retryDelay')])
  })
})

const newestAnthropic = anthropicVersions.at(-1)!.Anthropic

describe.for(anthropicVersions)('$name, a budget that is spent', ({ Anthropic, connect }) => {
  test('pitfall 17: by any call, streamed or not, refuses every other with the error of the SDK, which does not retry', async () => {
    const body = { model, max_tokens: 50, messages }
    await spendBy(
      (walk) => {
        const client = connect(walk)
        return {
          messages: () => client.messages.create(body),
          'streamed messages': async () =>
            collect(await client.messages.create({ ...body, stream: true })),
          ...(Anthropic === newestAnthropic && {
            batches: () =>
              client.messages.batches.create({ requests: [{ custom_id: '1', params: body }] }),
          }),
        }
      },
      async (asked) => {
        const error = await caught(Anthropic.APIError, asked)
        expect(error).toMatchObject({
          status: 402,
          error: {
            error: {
              type: 'billing_error',
              details: [{ code: 'budget_exceeded', remaining: '0' }],
            },
          },
        })
      },
    )
  })

  test('is told by the headers of Anthropic what is left', async () => {
    await using walk = await startBudget()
    const { response } = await connect(walk)
      .messages.create({ model, max_tokens: 50, messages })
      .withResponse()
    expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('10')
    expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('9')
    const reset = response.headers.get('anthropic-ratelimit-requests-reset')
    expect(new Date(reset!).toISOString()).toBe(reset)
  })
})

describe.for(genaiVersions)('$name, a budget that is spent', (version) => {
  const { ApiError, connect } = version
  test('pitfall 17: by any call, streamed or not, refuses every other with the error of the SDK', async () => {
    const body = { model, contents: 'hi' }
    await spendBy(
      (walk) => {
        const { models, operations } = connect(walk)
        const videos = async () => {
          let operation = await models.generateVideos({ model: film, prompt: 'a film' })
          await until(async () => {
            operation = await operations.getVideosOperation({ operation })
            return operation.done === true
          })
        }
        return {
          generate: () => models.generateContent(body),
          'streamed generate': async () => collect(await models.generateContentStream(body)),
          embeddings: () => models.embedContent(body),
          ...(version.makesVideos && { videos }),
        }
      },
      async (asked) => {
        const error = await caught(ApiError, asked)
        expect(error.status).toBe(402)
        expect(error.message).toContain('RESOURCE_EXHAUSTED')
        expect(error.message).toContain('BUDGET_EXCEEDED')
      },
    )
  })
})

describe('the other refusals of limits are typed errors of each SDK', () => {
  const slow = 'sandbox/words=50+pace=20'
  const refusals = [
    { code: 'budget_in_use', status: 429, name: 'RateLimitError', asked: model },
    {
      code: 'model_unpriced',
      status: 403,
      name: 'PermissionDeniedError',
      asked: 'sandbox/words=1',
    },
    { code: 'limits_unavailable', status: 503, name: 'InternalServerError', asked: model },
  ] as const

  /** A gateway that refuses by this code, until it is disposed. */
  async function refusing(code: (typeof refusals)[number]['code']) {
    const store = breakable(openMemoryStore())
    const strict = code === 'limits_unavailable'
    const walk = await startWalk({
      store,
      keys: [
        {
          id: 'test',
          secret: 'test-secret',
          quotas: [{ kind: 'cost', amount: '0.004', window: 'day', strict }],
        },
      ],
      prices: { [model]: { rates }, [slow]: { rates } },
    })
    if (strict) Object.assign(store.broken, { reads: true, writes: true })
    if (code !== 'budget_in_use') return walk
    const holding = await fetch(`${walk.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer test-secret', 'content-type': 'application/json' },
      body: JSON.stringify({ model: slow, messages, stream: true, max_tokens: 3_900 }),
    })
    expect(holding.status).toBe(200)
    return walk
  }

  const { OpenAI, connect: connectOpenAI } = openaiVersions.at(-1)!
  const { Anthropic, connect: connectAnthropic } = anthropicVersions.at(-1)!
  const { ApiError, connect: connectGenAI } = genaiVersions.at(-1)!

  test.each(refusals)('$code', async ({ code, status, name, asked }) => {
    await using walk = await refusing(code)
    const openai = connectOpenAI(walk, { maxRetries: 0 })
    const most = { model: asked, max_tokens: 3_900, messages }
    for (const call of [
      openai.chat.completions.create(most),
      openai.responses.create({ model: asked, input: 'hi', max_output_tokens: 3_900 }),
    ]) {
      const error = await caught(OpenAI.APIError, call)
      expect([error.constructor.name, error.status]).toEqual([name, status])
      expect(error.error).toMatchObject({ details: [{ code }] })
    }
    const message = await caught(
      Anthropic.APIError,
      connectAnthropic(walk, { maxRetries: 0 }).messages.create(most),
    )
    expect(message.error).toMatchObject({ error: { details: [{ code }] } })
    const config = { maxOutputTokens: 3_900 }
    const generated = await caught(
      ApiError,
      connectGenAI(walk).models.generateContent({ model: asked, contents: 'hi', config }),
    )
    expect([message.status, generated.status]).toEqual([status, status])
    expect(generated.message).toContain(code.toUpperCase())
    const waits = new Headers(message.headers).get('retry-after')
    expect(Number(waits)).toBe(status === 403 ? 0 : 1)
  })
})
