import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { answerJson } from '../../src/testing/fake-account.ts'
import { serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { type Form, type FormName, form, forms } from '../walks/streams/forms.ts'
import { errorShapes } from './error-shapes.ts'

const secret = 'key-of-a'
const message = `no such tenant for ${secret}`

/** Errors with a 2xx status, as servers in front of an account write them. */
const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  'an error that is a text': { error: message },
  'an object called error': { object: 'error', message },
  'a body of the type error': { type: 'error', message },
  'a detail': { detail: message },
  'a detail with a status': { detail: message, code: 500 },
  'a message': { message },
  'a message with a status': { message, code: 500 },
  'a message as AWS writes it': { Message: message },
  'a fault': { fault: { faultstring: message } },
  'a state': { status: 'error', reason: message },
  'an empty object': {},
  ...errorShapes(message),
}

/** Errors that have a member of replies of the dialect. */
const ownBodies: Readonly<Partial<Record<FormName, Record<string, Record<string, unknown>>>>> = {
  chat: { 'no choices and a message': { choices: [], message } },
  messages: {
    'a text as content and a status': { content: message, code: 500 },
    'no content and a message': { content: [], message },
    'an unknown type': { type: 'internal_server_exception', message },
  },
  responses: {
    'an id and a type of error': { id: 'req_1', type: 'server_error', message },
    'an id and a code': { id: 'req_1', code: 'InternalError', msg: message, success: false },
    'an id, a state and a message': { id: 'req_1', status: 'failed', message },
    'a problem with an id': { id: 'x', type: 'about:blank', status: 502, detail: message },
    'no usage and a message': { usage: {}, message },
    'no output and a message': { output: [], message },
  },
  generate: {
    'no candidates and a message': { candidates: [], message, code: 500 },
    'no usage and a message': { usageMetadata: {}, message },
  },
}

const bodiesOf = ({ name }: Form) => Object.entries({ ...bodies, ...ownBodies[name] })

/** Replies of servers that leave out all but what makes them replies. */
const leastReplies: Readonly<Partial<Record<FormName, Record<string, Record<string, unknown>>>>> = {
  chat: {
    'choices alone': { choices: form.chat.reply.choices },
    'choices beside a message': { choices: form.chat.reply.choices, message: 'ok' },
    'no choices': { choices: [], message: '', code: 0 },
  },
  messages: {
    'content alone': { content: form.messages.reply.content },
    'a type alone': { type: 'message' },
    'a text as content': { content: 'Hello there' },
    'no content': { content: [] },
  },
  responses: {
    'output alone': { output: form.responses.reply.output },
    'an object alone': { object: 'response' },
    'a status alone': { id: 'resp_1', status: 'queued' },
    'usage alone': { usage: { input_tokens: 3 } },
  },
  generate: {
    'candidates alone': { candidates: form.generate.reply.candidates },
    'a blocked prompt': { promptFeedback: { blockReason: 'SAFETY' } },
    'usage alone': { usageMetadata: { promptTokenCount: 3 } },
    'usage beside a message': { usageMetadata: { promptTokenCount: 3 }, message: 'ok' },
    'no candidates': { candidates: [] },
  },
}

/** Members that say of a reply that it is none. */
const noErrors: Readonly<Record<string, Record<string, unknown>>> = {
  null: { error: null, errors: null },
  false: { error: false, errors: false },
  'an empty text': { error: '', errors: '' },
  'an empty list': { error: [], errors: [] },
  'an empty object': { error: {}, errors: {} },
  'a list of nothing': { error: [null], errors: [null] },
  'an object without values': {
    error: { code: 0, message: '', type: null },
    errors: [{ code: null, message: null }],
  },
  'an empty list of details': { error: { message: '', details: [] } },
  'an empty object beside a message': { error: {}, message: 'ok' },
}

const dialects = forms.filter(({ name }) => name !== 'generate-array')

/** A client of the account's dialect, and one of another: all others read what the account's codec makes of a reply. */
const clientsOf = (account: Form) => [account, account.name === 'chat' ? form.messages : form.chat]

describe.each(dialects)('an account that speaks $name', (account) => {
  test.each(dailyRows(bodiesOf(account), dialects.indexOf(account)))(
    'and replies with %s has failed',
    async (_, body) => {
      const speaks = [account.name]
      const scripts = { a: answerJson(body) }
      await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
      for (const client of clientsOf(account)) {
        const answer = await ask(pool.gateway, client, { stream: false })
        const { text } = await receive(answer)
        const seen = [client.name, answer.status >= 500, text.includes(secret)]
        expect([...seen, text]).toEqual([client.name, true, false, text])
      }
    },
  )

  test.each(dailyRows(bodiesOf(account), dialects.indexOf(account) + 1))(
    'and replies with %s: another one answers',
    async (_, body) => {
      const speaks = [account.name]
      const scripts = { a: answerJson(body), b: serving(account) }
      await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
      for (const client of clientsOf(account)) {
        const answer = await ask(pool.gateway, client, { stream: false })
        expect([client.name, answer.status]).toEqual([client.name, 200])
      }
    },
  )

  test.each(Object.entries(leastReplies[account.name] ?? {}))(
    'and replies with %s has not failed',
    async (_, body) => {
      await using pool = await startPool(account, { a: answerJson(body) })
      const answer = await ask(pool.gateway, account, { stream: false })
      expect([answer.status, await answer.json()]).toEqual([200, body])
    },
  )

  test('and replies with an empty object has sent no reply of its dialect', async () => {
    const outcomes: unknown[] = []
    const noting = definePlugin({
      name: 'noting',
      onOutcome: ({ outcome }) => void outcomes.push([outcome.fault, outcome.error?.code]),
    })
    const speaks = [account.name]
    const options = { plugins: [noting] }
    const scripts = { a: answerJson({}) }
    await using pool = await startPool(account, scripts, options, (one) => ({ ...one, speaks }))
    for (const client of dialects) await receive(await ask(pool.gateway, client, { stream: false }))
    expect(outcomes).toEqual(dialects.map(() => ['account', 'upstream_invalid_reply']))
  })

  test.each(dailyRows(Object.entries(noErrors), dialects.indexOf(account)))(
    'and has %s as error has not failed',
    async (_, members) => {
      const speaks = [account.name]
      const scripts = { a: answerJson({ ...account.reply, ...members }) }
      await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
      for (const client of clientsOf(account)) {
        const answer = await ask(pool.gateway, client, { stream: false })
        expect([client.name, answer.status]).toEqual([client.name, 200])
      }
    },
  )
})
