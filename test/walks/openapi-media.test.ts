import { expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'

interface Document {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, object> }> }>
  >
}

/** The media types of an operation's answers, by status. */
async function answersOf(method: string, path: string): Promise<Record<string, string[]>> {
  await using gateway = await createTestGateway()
  const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document
  const { responses = {} } = paths[path]?.[method] ?? {}
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content = {} }]) => [status, Object.keys(content)]),
  )
}

test.each([
  ['post', '/v1/images/edits'],
  ['post', '/v1/images/generations'],
  ['post', '/v1/responses'],
  ['post', '/v1/chat/completions'],
  ['post', '/v1/messages'],
  ['post', '/{version}/models/{model}:streamGenerateContent'],
  ['get', '/v1/responses/{id}'],
])('%s %s may answer with events', async (method, path) => {
  const answers = await answersOf(method, path)
  expect(answers['200']).toEqual(['application/json', 'text/event-stream'])
})

test.each([
  ['/v1/videos/{id}/content', ['video/mp4', 'image/webp', 'image/jpeg']],
  ['/{version}/files/{file}:download', ['video/mp4']],
  ['/{version}/files/{file}', ['application/json', 'video/mp4']],
  ['/v1/files/stored/{storage}/{owner}/{path}', ['*/*']],
])('a file is no JSON: get %s', async (path, types) => {
  expect((await answersOf('get', path))['200']).toEqual(types)
})

test('an upload is answered with nothing', async () => {
  const answers = await answersOf('put', '/v1/files/stored/{storage}/{owner}/{path}')
  expect(answers).toEqual({ 201: [], default: ['application/json'] })
})
