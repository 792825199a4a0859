import { describe, expect, test } from 'vitest'

import { type Answer, answerJson } from '../../../src/testing/fake-account.ts'
import { accountStage } from './stage.ts'

const request = { path: '/v1/embeddings', body: { model: 'm', input: ['a'] } }

const good = answerJson({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [1] }],
  model: 'm',
  usage: { prompt_tokens: 1, total_tokens: 1 },
})

function text(status: number, body: string): Answer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
}

describe('a server without the endpoint', () => {
  const servers: [string, Answer][] = [
    ['vLLM', answerJson({ detail: 'Not Found' }, { status: 404 })],
    ['FastAPI', answerJson({ detail: 'Method Not Allowed' }, { status: 405 })],
    [
      'OpenAI',
      answerJson(
        {
          error: {
            message: 'Invalid URL (POST /v1/embeddings)',
            type: 'invalid_request_error',
            param: null,
            code: null,
          },
        },
        { status: 404 },
      ),
    ],
    [
      'llama.cpp',
      answerJson(
        { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
        { status: 404 },
      ),
    ],
    [
      'llama.cpp with another model',
      answerJson(
        {
          error: {
            code: 501,
            message: 'This server does not support embeddings.',
            type: 'not_supported_error',
          },
        },
        { status: 501 },
      ),
    ],
    ['Ollama', text(404, '404 page not found')],
  ]

  test.each(servers)('as %s: another account answers', async (_, answer) => {
    await using stage = await accountStage([answer, good])
    expect((await stage.post(request)).status).toBe(200)
    expect(stage.servers.map(({ requests }) => requests.length)).toEqual([1, 1])
  })

  test.each(servers)(
    'as %s: alone, it is a clear 404, however often, and no circuit opens',
    async (_, answer) => {
      await using stage = await accountStage([answer])
      for (let times = 0; times < 7; times++) {
        const { status, json } = await stage.post(request)
        expect(status).toBe(404)
        expect(json.error.message).toBe('The server of the account has no such endpoint.')
      }
      expect(stage.servers[0]!.requests).toHaveLength(7)
    },
  )
})

test('a 404 of a model is the answer of its account', async () => {
  const error = { message: 'The model `m` does not exist.', code: 'model_not_found', type: 'x' }
  await using stage = await accountStage([answerJson({ error }, { status: 404 }), good])
  const { status, json } = await stage.post(request)
  expect(status).toBe(404)
  expect(json.error.message).toBe(error.message)
})

test.each<[string, Answer]>([
  ['a 500', answerJson({ error: { message: 'no' } }, { status: 500 })],
  ['an error in a 200', answerJson({ error: { message: 'no', type: 'server_error' } })],
  ['an empty object', answerJson({})],
  ['text', answerJson('this is not JSON')],
  [
    'half a reply',
    (response) => void response.writeHead(200, { 'content-length': '100' }).end('{'),
  ],
])('after %s another account answers', async (_, answer) => {
  await using stage = await accountStage([answer, good])
  expect((await stage.post(request)).status).toBe(200)
})

test('no other model stands in: its vectors are of another space', async () => {
  await using stage = await accountStage([answerJson({}, { status: 500 })], {
    models: ['m', 'other'],
    aliases: { pets: { model: 'm', fallbacks: [{ on: ['unavailable'], model: 'other' }] } },
  })
  const { status } = await stage.post({ ...request, body: { model: 'pets', input: 'a' } })
  expect(status).toBe(500)
  expect(stage.servers[0]!.requests).toHaveLength(1)
})
