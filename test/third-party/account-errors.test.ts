import { expect, test } from 'vitest'

import {
  bearer,
  defineDialect,
  defineOperation,
  definePlugin,
  errorEnvelope,
  firstCredential,
} from '../../src/dialect-kit/index.ts'
import { createTestGateway, startFakeAccount } from '../../src/testing/index.ts'

/** A dialect whose accounts name the type of an error in a header, as those of AWS do. */
const headed = defineDialect({
  id: 'headed',
  credential: (request) => firstCredential(request, [bearer]),
  error: (error) => {
    const type = error.upstream?.headers['x-errortype']
    return { ...errorEnvelope(error), headers: type ? { 'x-errortype': type } : {} }
  },
  upstream: {
    base: 'bare',
    providers: { headed: {} },
    headers: ({ credential = '' }) => ({ authorization: `Bearer ${credential}` }),
    subjectOf: ({ headers }) =>
      headers['x-errortype'] === 'AccessDenied' ? 'credential' : undefined,
    messageOf: ({ error }) => (typeof error['reason'] === 'string' ? error['reason'] : undefined),
  },
  operations: [
    defineOperation({
      id: 'headed.ask',
      method: 'POST',
      paths: ['/headed'],
      auth: 'key',
      capability: 'ask',
      summary: 'Ask',
      understand: () => ({ model: 'm', stream: false, refersTo: [], edits: [], losses: [] }),
      forward: {
        target: () => ({ path: '/ask' }),
        observer: () => {
          throw new Error('There is no stream.')
        },
        outcome: () => ({ status: 'completed', fault: 'none' }),
      },
    }),
  ],
})

/** What a client reads when its account answers with an error of this type. */
async function answerTo(type: string, body: object) {
  await using upstream = await startFakeAccount((response) => {
    response.writeHead(400, { 'content-type': 'application/json', 'X-ErrorType': type })
    response.end(JSON.stringify(body))
  })
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'headed', baseUrl: upstream.url, apiKey: 'key-of-a', models: ['m'] },
    ],
    plugins: [definePlugin({ name: 'headed', dialects: [headed] })],
  })
  const response = await fetch(`${gateway.url}/headed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const { error } = (await response.json()) as { error: { message: string } }
  const { status, headers } = response
  return { status, type: headers.get('x-errortype'), message: error.message }
}

test('a dialect reads the type of an error from its headers', async () => {
  const denied = await answerTo('AccessDenied', { message: 'No access.' })
  expect(denied.message).toBe('The upstream refused the account that serves this model.')
  expect(denied).toMatchObject({ status: 502, type: null })
  const invalid = await answerTo('Invalid', { message: 'Too hot.' })
  expect(invalid).toMatchObject({ status: 400, type: 'Invalid', message: 'Too hot.' })
})

test('a dialect says where the message of an error is, which shows no key', async () => {
  const { message } = await answerTo('Invalid', { reason: 'Too hot for key-of-a.' })
  expect(message).toMatch(/^Too hot for (?!key-of-a)/)
})

test('the message of an error may be written with a capital letter', async () => {
  expect((await answerTo('Invalid', { Message: 'Too hot.' })).message).toBe('Too hot.')
})
